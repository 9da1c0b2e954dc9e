// Asks for confirmation before something is removed.
#pragma once

#include "base/error.hpp"

#include <string>

namespace parley::cli {

// Asks the question on the terminal; fails with a message unless the answer is yes. Fails without a
// terminal: then --yes is needed.
Result<> confirm(const std::string& question);

}  // namespace parley::cli
