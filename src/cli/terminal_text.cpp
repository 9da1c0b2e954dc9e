#include "cli/terminal_text.hpp"

#include "base/escape_control.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace parley::cli {
namespace {

constexpr bool is_harmless(char32_t code)
{
    if (code == '\n' || code == '\t') return true;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return !control && !direction;
}

}  // namespace

std::string for_terminal(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        if (text.starts_with("\r\n")) text.remove_prefix(1);
        const auto [code, bytes] = utf8::first(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
        if (bytes > 0 && is_harmless(code))
            out += character;
        else
            append_visible(out, character);
        text.remove_prefix(character.size());
    }
    return out;
}

}  // namespace parley::cli
