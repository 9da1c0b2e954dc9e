#include "reference/markdown.hpp"

#include "base/ascii.hpp"

#include <md4c-html.h>
#include <stdexcept>

namespace parley::reference {
namespace {

void append(const MD_CHAR* text, MD_SIZE size, void* html)
{
    static_cast<std::string*>(html)->append(text, size);
}

std::string rendered(std::string_view text)
{
    std::string html;
    if (md_html(text.data(), static_cast<MD_SIZE>(text.size()), append, &html,
                MD_FLAG_TABLES | MD_FLAG_NOHTML, 0) != 0)
        throw std::runtime_error("md4c cannot render a guide");
    return html;
}

// Guides have comments on lines of their own, for the tests that run them.
std::string without_comments(std::string_view text)
{
    std::string rest;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        if (!text.starts_with("<!--")) rest.append(text.substr(0, end));
        text.remove_prefix(end);
    }
    return rest;
}

// "When it is too much" becomes "when-it-is-too-much". Tags are ignored.
std::string anchor_of(std::string_view heading)
{
    std::string anchor;
    bool in_tag = false;
    for (const char each : ascii::lower(heading)) {
        if (each == '<') in_tag = true;
        if (!in_tag) {
            if ((each >= 'a' && each <= 'z') || (each >= '0' && each <= '9'))
                anchor += each;
            else if (!anchor.ends_with('-') && !anchor.empty())
                anchor += '-';
        }
        if (each == '>') in_tag = false;
    }
    return anchor;
}

// md4c writes <h2>Text</h2>; links within and between guides need <h2 id="text">.
std::string with_anchors(std::string_view html)
{
    std::string all;
    while (true) {
        const std::size_t tag = html.find("<h");
        if (tag == html.npos || html.size() < tag + 4) break;
        all.append(html.substr(0, tag + 3));  // Up to the digit.
        html.remove_prefix(tag + 3);
        const bool is_heading = all.back() >= '1' && all.back() <= '6' && html.starts_with('>');
        if (!is_heading) continue;  // <hr>, for example.
        const std::string_view heading = html.substr(1, html.find("</h") - 1);
        all.append(" id=\"").append(anchor_of(heading)).append("\"");
    }
    return all.append(html);
}

}  // namespace

std::string html_of_inline_markdown(std::string_view text)
{
    const std::string html = rendered(text);
    std::string_view inside = html;
    if (inside.starts_with("<p>")) inside.remove_prefix(3);
    if (inside.ends_with("</p>\n")) inside.remove_suffix(5);
    return std::string(inside);
}

std::string html_of_markdown(std::string_view text)
{
    return with_anchors(rendered(without_comments(text)));
}

std::string title_of_markdown(std::string_view text)
{
    const std::size_t heading = text.starts_with("# ") ? 0 : text.find("\n# ");
    if (heading == text.npos) return {};
    const std::string_view line = text.substr(text.find("# ", heading) + 2);
    return std::string(line.substr(0, line.find('\n')));
}

}  // namespace parley::reference
