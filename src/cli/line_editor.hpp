// Reads lines from a terminal, with editing, history and bracketed paste: a paste of several lines
// is one line here, with line breaks in it. libedit does the editing.
//
// Threads: the one that calls. One editor at a time: it owns the terminal while it lives.
#pragma once

#include "cli/chat_history.hpp"

#include <memory>
#include <optional>
#include <string>

namespace parley::cli {

class LineEditor {
public:
    // A longer line is not sent, and the user is told.
    static constexpr std::size_t max_characters = 1'000'000;

    // False if a terminal is missing on either side.
    static bool is_possible();

    // Adds each line to `history`, which must outlive the editor.
    explicit LineEditor(ChatHistory& history);
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;
    ~LineEditor();

    // The next line, in UTF-8. Nothing at the end of the input, or after Ctrl-C on an empty line
    // (Interruption::was_asked_for); Ctrl-C discards a line that has text.
    std::optional<std::string> read();

private:
    struct Terminal;

    ChatHistory& history_;
    std::unique_ptr<Terminal> terminal_;
};

}  // namespace parley::cli
