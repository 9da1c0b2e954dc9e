// The format of a log line. Pure functions, independent of the output.
#pragma once

#include "base/log.hpp"

#include <span>
#include <string>
#include <string_view>

namespace parley::log {

enum class Look { people, colours, json };

// Longer texts are cut, so that a line is always small.
inline constexpr std::size_t max_text_bytes = 4096;

// Appends a line, with its line break.
void append_line(std::string& out, Look look, TimePoint at, Level level, std::string_view message,
                 std::span<const Value> values);

}  // namespace parley::log
