#include "cli/wide_text.hpp"

#include "base/utf8.hpp"

namespace parley::cli {
namespace {

void append_utf8(std::string& bytes, char32_t code)
{
    const auto byte = [&](char32_t first, unsigned shift) {
        bytes += static_cast<char>(first | ((code >> shift) & 0x3fU));
    };
    if (code < 0x80) return bytes.push_back(static_cast<char>(code));
    if (code < 0x800) {
        byte(0xc0, 6);
    } else {
        if (code < 0x10000) {
            byte(0xe0, 12);
        } else {
            byte(0xf0, 18);
            byte(0x80, 12);
        }
        byte(0x80, 6);
    }
    byte(0x80, 0);
}

}  // namespace

std::string to_utf8(std::wstring_view text)
{
    std::string bytes;
    for (const wchar_t each : text) append_utf8(bytes, static_cast<char32_t>(each));
    return bytes;
}

std::wstring to_wide(std::string_view bytes)
{
    std::wstring text;
    const std::string sound = utf8::repaired(bytes);
    for (std::string_view rest = sound; !rest.empty();) {
        const auto [code, size] = utf8::first(rest);
        text += static_cast<wchar_t>(code);
        rest.remove_prefix(size);
    }
    return text;
}

std::wstring with_line_feeds(std::wstring_view pasted)
{
    std::wstring text;
    for (std::size_t i = 0; i < pasted.size(); ++i) {
        if (pasted[i] != L'\r')
            text += pasted[i];
        else if (i + 1 == pasted.size() || pasted[i + 1] != L'\n')
            text += L'\n';
    }
    return text;
}

}  // namespace parley::cli
