// The options by which a command is told the settings of a server: --config, --set and those that
// are another name for a setting.
#pragma once

#include "app/settings_sources.hpp"
#include "cli/command.hpp"

#include <memory>

namespace parley::cli {

struct SettingsOptions {
    std::string config;
    std::string listen;
    std::string model;
    std::string tls_cert;
    std::string tls_key;
    std::vector<std::string> assignments;

    app::SettingSources sources(const Common& common) const;
};

// Filled in when the arguments are read.
std::shared_ptr<const SettingsOptions> add_settings_options(CLI::App& command);

}  // namespace parley::cli
