// The keywords of a schema that say which types a value has, and how large it is.
#pragma once

#include "schema/schema.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parley::schema {

// Integers beyond this are no longer exact in all programs that read JSON.
inline constexpr std::int64_t largest_integer = 999'999'999'999'999;
// The bounds themselves may be wider: some libraries state the exact integers of a double as the
// bounds of every integer.
inline constexpr std::int64_t largest_bound = 9'007'199'254'740'991;

// The bounds of the integers that a local model may write.
inline std::int64_t least_written(std::optional<std::int64_t> minimum)
{
    return std::max(minimum.value_or(-largest_integer), -largest_integer);
}
inline std::int64_t most_written(std::optional<std::int64_t> maximum)
{
    return std::min(maximum.value_or(largest_integer), largest_integer);
}

bool is_known(std::string_view keyword);
bool is_note(std::string_view keyword);  // Does not restrict values.

// Empty: all types. A missing type is derived from keywords that apply to one type only.
std::vector<Kind> kinds_of(const boost::json::object& members, const fields::FieldPath& at);

void read_limits(Node& node, const boost::json::object& members, const fields::FieldPath& at);

inline std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

// Of a reference: `~1` is a slash, `%25` a percent sign.
std::string unescaped(std::string_view pointer);

}  // namespace parley::schema
