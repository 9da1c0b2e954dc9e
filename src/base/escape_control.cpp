#include "base/escape_control.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace parley {
namespace {

// Not visible: characters that control a terminal, or hide or reorder the text beside them.
constexpr bool is_visible(char32_t code)
{
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool separator = code == 0x2028 || code == 0x2029;
    const bool mark = (code >= 0x200B && code <= 0x200F) || code == 0xFEFF || code == 0x061C;
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return !control && !separator && !mark && !direction;
}

void append_escape(std::string& out, char32_t code)
{
    if (code == '\n')
        out += "\\n";
    else if (code == '"' || code == '\\')
        out.append({'\\', static_cast<char>(code)});
    else
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(code));
}

}  // namespace

void append_visible(std::string& out, std::string_view text)
{
    std::size_t kept = 0;  // The start of the text that can be copied unchanged.
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
            ++i;
            continue;
        }
        const auto character = utf8::first(text.substr(i));
        if (byte >= 0x80 && character.bytes > 0 && is_visible(character.code)) {
            i += character.bytes;
            continue;
        }
        out.append(text, kept, i - kept);
        append_escape(out, character.bytes > 0 ? character.code : U'\uFFFD');
        i += std::max<std::size_t>(character.bytes, 1);
        kept = i;
    }
    out.append(text, kept);
}

}  // namespace parley
