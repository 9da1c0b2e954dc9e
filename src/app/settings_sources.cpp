#include "app/settings_sources.hpp"

#include "app/model_settings.hpp"
#include "app/settings_text.hpp"
#include "app/system_server.hpp"

namespace parley::app {
namespace {

Result<> read_environment(LoadedSettings& loaded, const Environment& environment)
{
    if (auto checked = check_variables(environment); !checked) return checked;
    for (const auto& setting : all_settings()) {
        const std::string variable = variable_of(setting.key);
        const auto found = environment.find(variable);
        if (found == environment.end()) continue;
        if (auto done = put_text(loaded.settings, setting, found->second); !done)
            return invalid_request(variable + ": " + done.error().message);
        loaded.from[setting.key] = variable;
    }
    return {};
}

Result<> read_assignments(LoadedSettings& loaded, const std::vector<std::string>& assignments)
{
    for (const auto& assignment : assignments) {
        if (auto done = set(loaded.settings, assignment); !done) return done;
        loaded.from[assignment.substr(0, assignment.find('='))] = "--set";
    }
    return {};
}

Result<> read_options(LoadedSettings& loaded, const std::vector<SettingOption>& options)
{
    for (const auto& [option, key, value] : options) {
        const Setting* setting = find_setting(key);
        if (auto done = put_text(loaded.settings, *setting, value); !done)
            return invalid_request(key + ": " + done.error().message);
        loaded.from[key] = option;
    }
    return {};
}

// As TOML writes it: the name of a model may have dots, which only quotes keep together.
std::string table_name(const std::string& table)
{
    if (!table.starts_with(models_table)) return table;
    const std::string model = table.substr(models_table.size());
    return std::string(models_table) +
           (model.find('.') == model.npos ? model : "\"" + model + "\"");
}

}  // namespace

Result<LoadedSettings> load_settings(const SettingSources& sources)
{
    LoadedSettings loaded;
    auto data = find_data_directory(sources.data, sources.environment);
    const std::string config_file =
        sources.config_file.empty() && data ? default_config_file(*data) : sources.config_file;
    if (!config_file.empty()) {
        auto places = read_config_file(loaded.settings, config_file);
        if (!places) return places.error();
        loaded.from = std::move(*places);
    }
    if (auto done = read_environment(loaded, sources.environment); !done) return done.error();
    if (auto done = read_assignments(loaded, sources.assignments); !done) return done.error();
    if (auto done = read_options(loaded, sources.options); !done) return done.error();
    if (!data) return data.error();
    loaded.settings.data = std::move(*data);
    return loaded;
}

std::string shown_as_toml(const LoadedSettings& loaded)
{
    std::string shown = "# data directory: " + in_quotes(loaded.settings.data.string()) + "\n";
    std::string table;
    for (const auto& setting : settings_in_use(loaded.settings)) {
        const std::string_view key = setting.key;
        const std::size_t dot = key.rfind('.');
        if (key.substr(0, dot) != table) {
            table = key.substr(0, dot);
            shown.append("\n[").append(table_name(table)).append("]\n");
        }
        const auto from = loaded.from.find(setting.key);
        shown.append(key.substr(dot + 1)).append(" = ");
        shown += to_toml(setting.shown(loaded.settings));
        shown += "  # " + (from == loaded.from.end() ? "default" : from->second) + "\n";
    }
    return shown;
}

}  // namespace parley::app
