// Combines the settings of all sources; each overrides those before it: the defaults, a TOML file,
// the environment, --set, options such as --listen.
#pragma once

#include "app/config_file.hpp"
#include "app/environment.hpp"
#include "app/settings.hpp"

namespace parley::app {

// An option of the command line that is another name for a setting.
struct SettingOption {
    std::string option;  // "--listen"
    std::string key;     // "server.listen"
    std::string value;
};

struct SettingSources {
    std::string config_file;  // Empty: none, or that of the system's server (system_server.hpp).
    Environment environment;
    std::vector<std::string> assignments;  // Given by --set; the last one for a key counts.
    std::vector<SettingOption> options;
    std::string data;  // Given by --data.
};

struct LoadedSettings {
    Settings settings;
    Places from;  // "parley.toml:3", "PARLEY_LOG_LEVEL", "--set" …; the defaults are not in it.
};

// Fails with a message about the first fault. check() tells whether the values are consistent.
Result<LoadedSettings> load_settings(const SettingSources& sources);

// The settings in use as a settings file, with the source of each.
std::string shown_as_toml(const LoadedSettings& loaded);

}  // namespace parley::app
