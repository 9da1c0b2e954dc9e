// Reads the settings of a server: from --config, the environment, --set, and from options that are
// another name for a setting.
#pragma once

#include "app/settings_sources.hpp"
#include "cli/command.hpp"

#include <memory>

namespace parley::cli {

// The settings that a server would have if it were started with the same --config, environment,
// --set and --data. Fails with a message.
Result<app::Settings> settings_of(const Common& common);

// The options that are another name for a setting, of commands that are about the server itself.
struct SettingsOptions {
    std::string listen;
    std::string model;
    std::string tls_cert;
    std::string tls_key;

    app::SettingSources sources(const Common& common) const;
};

// Filled in when the arguments are read.
std::shared_ptr<const SettingsOptions> add_settings_options(CLI::App& command);

}  // namespace parley::cli
