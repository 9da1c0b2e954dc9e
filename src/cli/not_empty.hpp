// Refuses an option without a value, such as --data "$UNSET" gives: it would otherwise count as not
// given, and the command would work somewhere else than was meant.
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
