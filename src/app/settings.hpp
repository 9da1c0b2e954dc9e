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

#include "api/pipeline_options.hpp"
#include "auth/login_times.hpp"
#include "automation/options.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "chat/run_options.hpp"
#include "http/server_state.hpp"
#include "http/tls.hpp"
#include "limits/classes.hpp"
#include "models/model_options.hpp"
#include "oidc/options.hpp"
#include "store/postgres/options.hpp"
#include "store/sqlite/options.hpp"
#include "webhook/options.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::app {

// Most members are the options of a room, which have their defaults there; the members of those
// that are no settings are set when the server starts. The rest is for this room.
struct Settings {
    // The data directory (data_directory.hpp). It is not a setting: commands find a server by its
    // directory, before any settings file is read.
    std::filesystem::path data;

    std::string listen = "127.0.0.1:8080";
    std::size_t loops = 0;
    bool allow_plain_http = false;
    std::vector<std::string> trusted_proxies;
    http::TlsFiles tls;
    http::Limits connections;
    api::PipelineOptions pipeline;
    std::string store_kind = "sqlite";
    store::postgres::Options postgres;  // Without a URL: SQLite in the data directory.
    std::string store_password_file;
    std::string cluster_name;       // Empty: the host and the address.
    std::chrono::seconds drain{3};  // With a URL of PostgreSQL.
    store::sqlite::Options sqlite;
    std::uint64_t min_free_bytes = std::uint64_t{512} << 20U;
    auth::LoginTimes logins;
    oidc::Options oidc;  // Without an issuer: no logins at a provider.
    std::string oidc_client_secret_file;
    limits::Limits limits;
    models::Options models;
    chat::RunOptions runs;
    std::chrono::days events_keep{30};
    std::optional<std::int64_t> max_retention_days;
    automation::Options automations;
    webhook::Options webhooks;
    std::string secrets_key_file;  // Empty: a key in the database.
    std::string metrics_listen = "127.0.0.1:9464";
    std::string otlp_url;  // The URL of the collector of spans; empty: none are recorded.
    std::string otlp_headers_file;
    log::Options log;
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
