// A settings file: TOML, each table and key as settings.cpp declares them.
//
//   [server]
//   listen = "127.0.0.1:9000"
//
// Types are checked strictly: neither "5" nor 5.0 is a whole number. Every fault names the file,
// the line and the column.
#pragma once

#include "app/settings.hpp"

#include <map>

namespace parley::app {

inline constexpr std::size_t max_config_bytes = std::size_t{1} << 20;

// The place of each key that was set: "FILE:LINE".
using Places = std::map<std::string, std::string, std::less<>>;

// Fails with a message. `name` is the name of the file in messages.
Result<Places> read_config(Settings& settings, std::string_view toml, const std::string& name);

// The same from a file. Also refuses a file that is not a plain file, is larger than
// max_config_bytes, or can be written by every user of the machine.
Result<Places> read_config_file(Settings& settings, const std::string& file);

}  // namespace parley::app
