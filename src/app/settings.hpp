// The settings of a server. Each key is declared once, in settings.cpp, with its meaning and the
// values that it takes; the same declaration reads a TOML file (config_file.hpp), the environment
// (environment.hpp) and --set, shows the value in use and documents it (`parley serve
// --help-settings`).
//
// No setting holds a secret: keys and passwords are in files, and settings name the files. So all
// settings may be shown.
//
// Threads: plain values and functions, to be used from any thread.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::app {

// One model that the server offers.
struct ModelSettings {
    std::string engine = "auto";
    bool listed = true;
    std::int64_t context = 0;
    std::string path;  // Of llama: the GGUF file.
    std::int64_t threads = 0;
    std::int64_t slots = 0;
    std::int64_t cache_mib = 0;
    // Of upstream: lists in one text, see upstream_settings.hpp.
    std::string base_url;
    std::string upstream_model;
    std::string api_key_file;
    std::string api_key_variable;
    bool allow_plain_http = false;
    std::int64_t connect_timeout_s = 5;
    std::int64_t first_token_timeout_s = 60;
    std::int64_t silence_timeout_s = 60;
};

struct Settings {
    // The data directory (data_directory.hpp). It is not a setting: commands find a server by its
    // directory, before any settings file is read.
    std::filesystem::path data;

    std::string listen = "127.0.0.1:8080";
    std::int64_t loops = 0;
    std::int64_t max_connections = 10'000;
    std::int64_t max_connections_per_address = 256;
    std::int64_t max_body_mib = 16;
    bool allow_plain_http = false;
    std::string public_url;
    std::string contact;
    std::vector<std::string> cors_origins;
    std::vector<std::string> trusted_proxies;
    std::string tls_cert;
    std::string tls_key;
    std::string store_kind = "sqlite";
    std::string store_url;  // Empty: SQLite in the data directory.
    std::string store_password_file;
    std::int64_t store_connections = 16;
    std::int64_t store_readers = 0;
    std::int64_t store_min_free_mib = 512;
    std::int64_t access_ttl_s = 3600;
    std::int64_t refresh_ttl_s = std::int64_t{30} * 24 * 3600;
    std::int64_t refresh_grace_s = 60;
    std::int64_t limit_chat = 30;
    std::int64_t limit_auth = 10;
    std::int64_t limit_auth_address = 0;  // As limit_auth.
    std::int64_t limit_general = 100;
    std::int64_t limit_automation = 30;
    std::int64_t limit_window_s = 60;
    std::string model_default;  // Empty: the embedded model if there is one, else scripted.
    std::map<std::string, ModelSettings> models;  // By the names that clients know.
    std::int64_t runs_max_concurrent = 64;
    std::int64_t runs_max_queued = 1000;
    std::int64_t runs_timeout_s = 300;
    std::int64_t runs_events_keep_s = std::int64_t{24} * 3600;
    std::int64_t events_keep_days = 30;
    std::int64_t automations_max_per_user = 100;
    std::int64_t automations_max_concurrent = 0;  // Half of runs_max_concurrent.
    std::int64_t automations_runs_keep_days = 90;
    std::string metrics_listen = "127.0.0.1:9464";
    std::string log_level = "auto";
    std::string log_format = "auto";
#ifdef PARLEY_FAULTS
    bool test_faults = false;
#endif
};

// The value of a setting; typed sources (TOML) must provide exactly this type.
using SettingValue = std::variant<std::string, std::int64_t, bool, std::vector<std::string>>;

struct Setting {
    std::string key;   // "server.listen": a table and a name in it.
    std::string form;  // "a whole number from 0 to 256"
    std::string_view meaning;
    std::function<SettingValue(const Settings&)> get;
    std::function<void(Settings&, SettingValue)> put;  // A value of the type that get() gives.
    // Describes what is wrong with a value of the right type; nothing if the value is valid.
    std::function<std::optional<std::string>(const SettingValue&)> fault = {};
    // The value without a password that it contains; as get() if there is no such function.
    std::function<SettingValue(const Settings&)> without_secret = {};

    SettingValue shown(const Settings& settings) const
    {
        return without_secret ? without_secret(settings) : get(settings);
    }
};

const std::vector<Setting>& all_settings();

// Null if there is none. The only place that defines how keys are matched.
const Setting* find_setting(std::string_view key);

// "models.NAME.engine" and so on: one group of settings for each name that occurs.
const std::vector<Setting>& settings_of_model(std::string_view name);

// All settings, including those of the models that these settings name.
std::vector<Setting> settings_in_use(const Settings& settings);

// Whether this is a table of settings: "server", "models", "models.NAME".
bool is_table_of_settings(std::string_view key);

// "There is no setting "server.lisen". Did you mean server.listen? …"
std::string unknown_setting(std::string_view key);

// Fails with the fault, which does not name the key.
Result<> put(Settings& settings, const Setting& setting, SettingValue value);

// From text, as --set and the environment have it: lists are comma-separated.
Result<> put_text(Settings& settings, const Setting& setting, std::string_view text);

// "key=value", as after --set. Fails with a message for an unknown key (with the nearest known one)
// or a value of the wrong type.
Result<> set(Settings& settings, std::string_view assignment);

// Refuses settings that are unsafe or contradict each other.
Result<> check(const Settings& settings);

}  // namespace parley::app
