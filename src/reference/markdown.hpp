// Markdown of our guides as HTML, by md4c: tables and anchors of headings included, raw HTML shown
// as text. Comments are left out.
#pragma once

#include <string>
#include <string_view>

namespace parley::reference {

std::string html_of_markdown(std::string_view text);

// The HTML of a text within a paragraph: code, emphasis and links.
std::string html_of_inline_markdown(std::string_view text);

// The text of its first heading.
std::string title_of_markdown(std::string_view text);

}  // namespace parley::reference
