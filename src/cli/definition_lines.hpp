// Definitions of automations, one JSON object per line, as `parley automation export` prints them.
#pragma once

#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <istream>
#include <string>
#include <vector>

namespace parley::cli {

// The longest line, and the most definitions: a larger file is not an export.
inline constexpr std::size_t longest_definition = std::size_t{1} * 1024 * 1024;
inline constexpr std::size_t most_definitions = 10'000;

// Fails with the number of the line that is not a definition. Empty lines are skipped.
Result<std::vector<boost::json::object>> read_definitions(std::istream& input);

// The same for a file, or for standard input if it is "-".
Result<std::vector<boost::json::object>> read_definitions(const std::string& file);

}  // namespace parley::cli
