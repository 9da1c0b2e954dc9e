// Parses values of header fields: lists such as "text/html, */*;q=0.8", and the parameters of their
// items.
#pragma once

#include <string_view>

namespace parley::api {

// Removes the text before the next `separator` from the front of `text` and returns it without
// surrounding blanks. Separators inside a quoted string do not count.
std::string_view take_until(char separator, std::string_view& text);

struct FieldParameter {
    std::string_view name;
    std::string_view value;  // Without its quotes.
};

// Takes the next parameter, "q=0.8", off the front of a list of them. One without a value has an
// empty one.
FieldParameter take_parameter(std::string_view& parameters);

}  // namespace parley::api
