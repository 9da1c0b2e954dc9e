// Makes untrusted text safe to show: characters that control a terminal, or hide or reorder other
// text, are escaped as in JSON.
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
