// What the environment of the process says: settings, and where the data directory is.
//
// The rule about names: everything that begins with PARLEY_ is ours, so a name that means nothing
// is a typing error and refused. PARLEY_SERVER_LISTEN is the setting server.listen, and so on for
// each. Besides there are PARLEY_DATA (data_directory.hpp), PARLEY_CACHE and PARLEY_BINARY (our
// tools), and what Kubernetes puts into every container beside a service that is named parley.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <string_view>

namespace parley::app {

using Environment = std::map<std::string, std::string, std::less<>>;

// Threads: before there are others, as with everything that reads the environment.
Environment environment_of_process();

// "server.listen" becomes "PARLEY_SERVER_LISTEN".
std::string variable_of(std::string_view key);

// Fails with a sentence for a variable that is ours by its name but means nothing, with the nearest
// one that does.
Result<> check_variables(const Environment& environment);

}  // namespace parley::app
