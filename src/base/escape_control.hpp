// Makes untrusted text safe to show: characters that control a terminal, or hide or reorder other
// text, are escaped as in JSON.
#pragma once

#include <string>
#include <string_view>

namespace parley {

void append_visible(std::string& out, std::string_view text);

inline std::string escape_control(std::string_view text)
{
    std::string out;
    append_visible(out, text);
    return out;
}

// In quotes, always on one line, for messages: "server.lisen". Control characters are shown as ?.
inline std::string in_quotes(std::string_view text)
{
    std::string shown = "\"";
    for (const char each : text) shown += (each >= 0 && each < 0x20) || each == 0x7f ? '?' : each;
    return shown + "\"";
}

}  // namespace parley
