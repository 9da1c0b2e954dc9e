// What an operator can set. Each key is declared once, in settings.cpp, with its meaning; the same
// declaration reads it, shows its default and documents it (`parley serve --help-settings`).
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::app {

struct Settings {
    std::string listen = "127.0.0.1:8080";
    std::int64_t loops = 0;
    std::int64_t max_connections = 10'000;
    bool allow_plain_http = false;
    std::string public_url;
    std::vector<std::string> cors_origins;
    std::string tls_cert;
    std::string tls_key;
    std::string metrics_listen = "127.0.0.1:9464";
    std::string log_level = "info";
    std::string log_format = "auto";
};

struct Setting {
    std::string_view key;
    std::string_view meaning;
    std::function<Result<>(Settings&, std::string_view)> set;
    std::function<std::string(const Settings&)> show;
};

const std::vector<Setting>& all_settings();

// Fails with a sentence: an unknown key (with the nearest right one), a value of the wrong type.
Result<> set(Settings& settings, std::string_view key, std::string_view value);

// "key=value", as after --set.
Result<> set(Settings& settings, std::string_view assignment);

// Refuses what would be unsafe or cannot work together.
Result<> check(const Settings& settings);

}  // namespace parley::app
