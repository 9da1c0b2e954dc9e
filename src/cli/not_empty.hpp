// Refuses an option with an empty value, such as --data "$UNSET": otherwise it would count as
// absent, and the command would use another directory than intended.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace parley::cli {

inline CLI::Validator not_empty()
{
    return CLI::Validator(
        [](const std::string& value) {
            return value.empty() ? std::string("the value is empty") : std::string();
        },
        "");
}

}  // namespace parley::cli
