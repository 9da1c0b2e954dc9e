// Text of others shown to people: what a terminal would obey, or what hides or reorders what stands
// beside it, is escaped in the manner of JSON.
#pragma once

#include <string>
#include <string_view>

namespace parley {

void append_visible(std::string& out, std::string_view text);

inline std::string visible(std::string_view text)
{
    std::string out;
    append_visible(out, text);
    return out;
}

}  // namespace parley
