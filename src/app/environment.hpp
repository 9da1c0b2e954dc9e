// Settings and the data directory from the environment of the process.
//
// All names that begin with PARLEY_ are reserved, so an unknown one is a typing error and refused.
// PARLEY_SERVER_LISTEN is the setting server.listen, and so on. Other known names are PARLEY_DATA
// (data_directory.hpp), PARLEY_CACHE and PARLEY_BINARY (our tools), and the variables that
// Kubernetes sets in every container beside a service named parley.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <string_view>

namespace parley::app {

using Environment = std::map<std::string, std::string, std::less<>>;

// Threads: to be called before other threads are started, because it reads the environment.
Environment environment_of_process();

// "server.listen" becomes "PARLEY_SERVER_LISTEN".
std::string variable_of(std::string_view key);

// Fails with a message for an unknown variable that begins with PARLEY_, and suggests the nearest
// known one.
Result<> check_variables(const Environment& environment);

}  // namespace parley::app
