// Takes the values of header fields apart: lists such as "text/html, */*;q=0.8", and the parameters
// of their items.
#pragma once

#include <string_view>

namespace parley::api {

// Takes what stands before the next `separator` off the front of `text`, without the blanks around
// it. Separators inside a quoted string do not count.
std::string_view take_until(char separator, std::string_view& text);

struct FieldParameter {
    std::string_view name;
    std::string_view value;  // Without its quotes.
};

// Takes the next parameter, "q=0.8", off the front of a list of them. One without a value has an
// empty one.
FieldParameter take_parameter(std::string_view& parameters);

}  // namespace parley::api
