// The files of the web app, made by its build (tools/web), which also makes the list.
#pragma once

#include <span>
#include <string_view>

namespace parley::api {

struct WebFile {
    std::string_view name;  // "index.html", or the name in its address after /app/.
    std::string_view media_type;
    std::string_view plain;
    std::string_view gzip;
    std::string_view brotli;
};

// Empty in a program that was built without the app.
std::span<const WebFile> web_files();

}  // namespace parley::api
