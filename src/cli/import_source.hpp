// The conversations of an export. Only the conversation in hand is in memory, however large the
// files are.
#pragma once

#include "base/error.hpp"
#include "cli/import_files.hpp"
#include "moving/json_elements.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace parley::cli {

struct ImportItem {
    std::string body = {};   // The body of POST /v1/api/import.
    std::string title = {};  // For people.
};

class ImportSource {
public:
    // `format` may be "auto". Fails with a message for people.
    static Result<ImportSource> open(const std::filesystem::path& path, std::string format);

    // Nothing at the end. Fails with body_too_large or invalid_json for a conversation that is left
    // out; all other failures end the import. All have a message for people.
    Result<std::optional<ImportItem>> next();

private:
    ImportSource(ImportFiles files, std::string format)
        : files_(std::move(files)), format_(std::move(format))
    {
    }

    Result<bool> open_next();
    Result<std::optional<ImportItem>> read(const std::string& text);
    Result<std::optional<ImportItem>> take_line(boost::json::object line, std::size_t bytes);
    Result<std::optional<ImportItem>> take_session();

    ImportFiles files_;
    std::string format_;
    std::string file_;
    std::optional<moving::JsonElements> elements_;
    // The session of an export of Parley that is being read; its messages follow it:
    boost::json::object session_;
    boost::json::array messages_;
    std::size_t session_bytes_ = 0;
};

// The format of an object of an export: "chatgpt", "open_webui" or "parley"; empty if it has none.
std::string format_of(const boost::json::object& object);

}  // namespace parley::cli
