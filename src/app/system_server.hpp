// The server that the system itself runs, as packages install it. Its data and its settings are in
// fixed places, so that commands of its user find them without options.
#pragma once

#include "app/environment.hpp"
#include "base/error.hpp"

#include <filesystem>
#include <string_view>

namespace parley::app {

struct SystemServer {
    std::filesystem::path data = "/var/lib/parley";
    std::filesystem::path config = "/etc/parley/parley.toml";
};

// The data directory: --data, else $PARLEY_DATA, else that of the system's server if it
// belongs to this user, else $XDG_DATA_HOME/parley, else ~/.local/share/parley. An absolute path.
// Fails with a message if there is no home directory; and for root if the system's server belongs
// to another user, because a second data directory would be created by mistake.
Result<std::filesystem::path> find_data_directory(std::string_view option,
                                                  const Environment& environment,
                                                  const SystemServer& system = {});

// The settings file to read if none is named: that of the system's server if this is its data
// directory and the file exists; else empty.
std::string default_config_file(const std::filesystem::path& data, const SystemServer& system = {});

}  // namespace parley::app
