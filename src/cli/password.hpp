// Asks for a password: twice on a terminal, which does not show it; or reads it from a pipe.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"

namespace parley::cli {

// `from_stdin`: all of standard input, without one line end. Fails with a message.
Result<Secret> read_new_password(bool from_stdin);

}  // namespace parley::cli
