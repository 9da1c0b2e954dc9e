// Puts the settings together from where they may come from, each place stronger than the one before
// it: the defaults, a TOML file, the environment, --set, options of their own such as --listen.
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
    std::string config_file;  // None where it is empty.
    Environment environment;
    std::vector<std::string> assignments;  // Of --set; a later one of the same key is the stronger.
    std::vector<SettingOption> options;
    std::string data;  // Of --data.
};

struct LoadedSettings {
    Settings settings;
    Places from;  // "parley.toml:3", "PARLEY_LOG_LEVEL", "--set" …; the defaults are not in it.
};

// Fails with one sentence about the first thing that is wrong. Whether the values go together is
// for check() to say.
Result<LoadedSettings> load_settings(const SettingSources& sources);

// The settings in use as a settings file, with where each comes from.
std::string shown_as_toml(const LoadedSettings& loaded);

}  // namespace parley::app
