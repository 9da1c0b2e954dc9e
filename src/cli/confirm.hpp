// Asks a person before something is removed.
#pragma once

#include "base/error.hpp"

#include <string>

namespace parley::cli {

// Asks the question on the terminal; fails with a sentence unless the answer is yes. Without a
// terminal it fails: there, --yes has to say it.
Result<> confirm(const std::string& question);

}  // namespace parley::cli
