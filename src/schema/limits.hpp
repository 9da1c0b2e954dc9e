// The keywords of a schema that say which types a value has, and how large it is.
#pragma once

#include "schema/schema.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parley::schema {

// Integers beyond this are no longer exact in all programs that read JSON.
inline constexpr std::int64_t largest_integer = 9'007'199'254'740'991;
// A local model usually writes no more than these digits, which have a simple grammar. Some
// libraries state the largest integers as the bounds of every integer.
inline constexpr std::int64_t usual_integer = 999'999'999'999'999;

// The integers that a local model may write; none if `least` is above `most`.
struct IntegerRange {
    std::int64_t least;
    std::int64_t most;

    bool is_empty() const { return least > most; }
};
inline IntegerRange written_integers(std::optional<std::int64_t> minimum,
                                     std::optional<std::int64_t> maximum)
{
    const auto up_to = [&](std::int64_t largest) {
        return IntegerRange{std::max(minimum.value_or(-largest), -largest),
                            std::min(maximum.value_or(largest), largest)};
    };
    const IntegerRange usual = up_to(usual_integer);
    return usual.is_empty() ? up_to(largest_integer) : usual;
}

bool is_known(std::string_view keyword);
bool is_note(std::string_view keyword);  // Does not restrict values.

// Empty: all types. A missing type is derived from keywords that apply to one type only.
std::vector<Kind> kinds_of(const boost::json::object& members, const fields::FieldPath& at);

void read_limits(Node& node, const boost::json::object& members, const fields::FieldPath& at);

inline std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

// The text of a reference without its escapes: `~1` is a slash, `%25` a percent sign.
std::string unescaped(std::string_view pointer);

}  // namespace parley::schema
