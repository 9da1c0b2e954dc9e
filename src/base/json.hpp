// Reads JSON from outside strictly and in one pass: accepted text has the same meaning for every
// reader. Also the only way to write text into JSON.
//
// Threads: plain functions, to be called from any thread.
#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::json {

inline constexpr std::size_t max_depth = 32;

// Objects, arrays and all that is in them, but not keys. As many as fit into 1 MiB: a larger
// document must have longer values, otherwise it would take many times its size in memory.
inline constexpr std::size_t max_values = 600'000;

// Fails with invalid_json, naming the fault and how many bytes were read until it: bad syntax, bad
// UTF-8, a byte order mark, half a surrogate pair, a key that occurs twice in an object, more than
// max_depth levels or max_values values, a number beyond the range of a double. U+0000 in a string
// is kept.
//
// Whole numbers become std::int64_t, or std::uint64_t if that is too small; all other numbers
// become the nearest double.
Result<boost::json::value> parse(std::string_view text);

struct Rules {
    std::size_t max_depth = json::max_depth;
    bool last_duplicate_counts = false;  // Otherwise a key that occurs twice is a fault.
};

// The same for texts that are no bodies. The message of the error is only the reason, without a
// full stop: "it ends too early (byte 5)".
Result<boost::json::value> parse_by(const Rules& rules, std::string_view text);

// Appends text as a JSON string, in quotes. Bytes that are not UTF-8 become U+FFFD, so that the
// output is always valid.
void append_quoted(std::string& out, std::string_view text);

// How many bytes append_quoted() would add for valid UTF-8.
std::size_t quoted_size(std::string_view text);

}  // namespace parley::json
