// Converts lines between libedit's form, one wchar_t for each character, and UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace parley::cli {

std::string to_utf8(std::wstring_view text);

// Bytes that are no UTF-8 become U+FFFD.
std::wstring to_wide(std::string_view bytes);

// Line feeds for the line breaks of pasted text: terminals send CR, or what was copied.
std::wstring with_line_feeds(std::wstring_view pasted);

}  // namespace parley::cli
