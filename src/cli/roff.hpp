// Writes a manual page in roff, with the macros of man(7). All texts are escaped, except that a
// text in `backticks` becomes bold in paragraphs.
#pragma once

#include <string>
#include <string_view>

namespace parley::cli {

class ManualPage {
public:
    // `date` is the date of the sources, so that two builds of them give the same page.
    ManualPage(std::string_view name, int section, std::string_view manual, std::string_view date);

    void name(std::string_view name, std::string_view summary);  // The section NAME.
    void section(std::string_view title);
    void subsection(std::string_view title);
    void paragraph(std::string_view text);
    void item(std::string_view term, std::string_view text);
    void more_of_item(std::string_view text);  // A second paragraph.
    void literal(std::string_view lines);      // As it is, indented.
    void see_also(std::string_view page, int section);

    const std::string& text() const { return text_; }

private:
    void line(std::string_view roff) { text_.append(roff).push_back('\n'); }

    void begin_paragraph();

    std::string text_;
    bool after_heading_ = false;
};

}  // namespace parley::cli
