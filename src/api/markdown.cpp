#include "api/markdown.hpp"

#include "api/html.hpp"
#include "base/ascii.hpp"

#include <optional>
#include <vector>

namespace parley::api {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

// What stands between two marks at the front of the text, and takes it away with both of them.
std::optional<std::string_view> taken(std::string_view& text, std::string_view open,
                                      std::string_view close)
{
    if (!text.starts_with(open)) return std::nullopt;
    const std::size_t end = text.find(close, open.size());
    if (end == text.npos) return std::nullopt;
    const auto inside = text.substr(open.size(), end - open.size());
    text.remove_prefix(end + close.size());
    return inside;
}

// "When it is too much" becomes "when-it-is-too-much".
std::string anchor_of(std::string_view heading)
{
    std::string anchor;
    for (const char each : ascii::lower(heading)) {
        if ((each >= 'a' && each <= 'z') || (each >= '0' && each <= '9'))
            anchor += each;
        else if (!anchor.ends_with('-') && !anchor.empty())
            anchor += '-';
    }
    return anchor;
}

class Page {
public:
    explicit Page(std::string_view text) : lines_(lines_of(text)) {}

    std::string html() &&
    {
        while (at_ < lines_.size()) {
            const std::string_view line = lines_[at_];
            if (line.empty() || line.starts_with("<!--"))
                ++at_;
            else if (line.starts_with("```"))
                add_code();
            else if (line.starts_with("#"))
                add_heading();
            else if (line.starts_with("|"))
                add_table();
            else if (line.starts_with("- "))
                add_list();
            else
                add_paragraph();
        }
        return std::move(html_);
    }

private:
    void add_code()
    {
        html_ += "<pre><code>";
        for (++at_; at_ < lines_.size() && lines_[at_] != "```"; ++at_)
            html_.append(escape_html(lines_[at_])).append("\n");
        ++at_;
        html_ += "</code></pre>\n";
    }

    void add_heading()
    {
        const std::string_view line = lines_[at_++];
        const std::size_t level = line.find_first_not_of('#');
        const auto text = line.substr(std::min(level + 1, line.size()));
        const std::string tag = "h" + std::to_string(level);
        html_.append("<").append(tag).append(" id=\"").append(anchor_of(text)).append("\">");
        html_.append(html_of_inline_markdown(text)).append("</").append(tag).append(">\n");
    }

    void add_table()
    {
        html_ += "<table>\n";
        for (const char* cell = "th"; at_ < lines_.size() && lines_[at_].starts_with("|"); ++at_) {
            if (lines_[at_].starts_with("|---")) continue;
            add_row(lines_[at_], cell);
            cell = "td";
        }
        html_ += "</table>\n";
    }

    void add_row(std::string_view line, const std::string& cell)
    {
        html_ += "<tr>";
        for (line.remove_prefix(1); !line.empty();) {
            const std::size_t end = line.find('|');
            html_.append("<").append(cell).append(">").append(
                html_of_inline_markdown(line.substr(0, end)));
            html_.append("</").append(cell).append(">");
            line = end == line.npos ? std::string_view() : line.substr(end + 1);
        }
        html_ += "</tr>\n";
    }

    // The lines of one paragraph or item, joined: up to an empty line or something else.
    std::string joined(std::string_view first)
    {
        std::string text(first);
        for (++at_; at_ < lines_.size(); ++at_) {
            std::string_view line = lines_[at_];
            if (line.empty() || line.starts_with("- ") || line.starts_with("```")) break;
            line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
            text.append(" ").append(line);
        }
        return html_of_inline_markdown(text);
    }

    void add_list()
    {
        html_ += "<ul>\n";
        while (at_ < lines_.size() && lines_[at_].starts_with("- "))
            html_.append("<li>").append(joined(lines_[at_].substr(2))).append("</li>\n");
        html_ += "</ul>\n";
    }

    void add_paragraph() { html_.append("<p>").append(joined(lines_[at_])).append("</p>\n"); }

    Lines lines_;
    std::size_t at_ = 0;
    std::string html_;
};

}  // namespace

std::string html_of_inline_markdown(std::string_view text)
{
    std::string html;
    while (!text.empty()) {
        if (const auto code = taken(text, "`", "`")) {
            html.append("<code>").append(escape_html(*code)).append("</code>");
        } else if (const auto strong = taken(text, "**", "**")) {
            html.append("<strong>").append(html_of_inline_markdown(*strong)).append("</strong>");
        } else if (const auto label = taken(text, "[", "](")) {
            const std::size_t end = text.find(')');
            html.append("<a href=\"").append(escape_html(text.substr(0, end))).append("\">");
            html.append(html_of_inline_markdown(*label)).append("</a>");
            text.remove_prefix(end == text.npos ? text.size() : end + 1);
        } else {
            const std::size_t next = text.find_first_of("`*[", 1);
            html += escape_html(text.substr(0, next));
            text.remove_prefix(next == text.npos ? text.size() : next);
        }
    }
    return html;
}

std::string html_of_markdown(std::string_view text) { return Page(text).html(); }

std::string title_of_markdown(std::string_view text)
{
    for (const std::string_view line : lines_of(text))
        if (line.starts_with("# ")) return std::string(line.substr(2));
    return {};
}

}  // namespace parley::api
