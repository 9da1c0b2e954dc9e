#include "cli/settings_help.hpp"

#include "app/settings_text.hpp"
#include "cli/output.hpp"

#include <boost/json.hpp>

#include <iostream>

namespace parley::cli {
namespace {

std::string_view table_of(const app::Setting& setting)
{
    return std::string_view(setting.key).substr(0, setting.key.rfind('.'));
}

boost::json::value to_json(const app::SettingValue& value)
{
    return std::visit([](const auto& held) { return boost::json::value_from(held); }, value);
}

void print_setting(const app::Setting& setting, const std::string& variable, bool json,
                   std::string_view& table)
{
    const auto value = setting.get(app::Settings());
    if (json) {
        boost::json::object line{{"key", setting.key},
                                 {"form", setting.form},
                                 {"default", to_json(value)},
                                 {"meaning", setting.meaning}};
        if (!variable.empty()) line.emplace("environment", variable);
        return print_line(line);
    }
    if (table != table_of(setting)) std::cout << "\n[" << (table = table_of(setting)) << "]\n";
    std::cout << "\n  " << setting.key << " (" << app::to_toml(value) << ")\n      "
              << setting.meaning << "\n      " << setting.form
              << (variable.empty() ? "" : " · " + variable) << '\n';
}

}  // namespace

const char* const example_settings = R"toml([server]
listen = "0.0.0.0:443"
tls_cert = "/etc/parley/chain.pem"
tls_key = "/etc/parley/key.pem"
public_url = "https://chat.example.org"
contact = "mailto:help@example.org"
cors_origins = ["https://app.example.org", "https://intranet.example.org"]
max_connections = 20000

[store]
kind = "sqlite"
min_free_mib = 2048

[metrics]
listen = "off"

[log]
level = "warn"
format = "json"
)toml";

void print_settings_help(bool json)
{
    std::string_view table;
    if (!json)
        std::cout << "Settings of `parley serve`. The same key works in all four places; a later "
                     "one wins:\n"
                     "\n"
                     "  a TOML file        parley serve --config parley.toml\n"
                     "  the environment    PARLEY_SERVER_LISTEN=127.0.0.1:9000 parley serve\n"
                     "  --set              parley serve --set server.listen=127.0.0.1:9000\n"
                     "  an option          parley serve --listen 127.0.0.1:9000\n"
                     "\n"
                     "In the environment and after --set, lists are comma-separated.\n";
    for (const auto& setting : app::all_settings())
        print_setting(setting, app::variable_of(setting.key), json, table);
    // These have no variables: the name of a model may not be valid in the name of a variable.
    for (const auto& setting : app::settings_of_model("NAME"))
        print_setting(setting, {}, json, table);
    if (!json) std::cout << "\nA settings file:\n\n" << example_settings;
}

void print_settings(const app::LoadedSettings& loaded, bool json)
{
    if (!json) {
        std::cout << app::shown_as_toml(loaded);
        return;
    }
    print_line({{"key", "data"}, {"value", loaded.settings.data.string()}});
    for (const auto& setting : app::settings_in_use(loaded.settings)) {
        const auto from = loaded.from.find(setting.key);
        print_line({{"key", setting.key},
                    {"value", to_json(setting.shown(loaded.settings))},
                    {"from", from == loaded.from.end() ? "default" : from->second}});
    }
}

}  // namespace parley::cli
