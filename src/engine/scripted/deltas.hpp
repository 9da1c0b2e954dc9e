// The text of a scripted reply, cut into deltas: a word with the white space before it, white space
// at the end of the text with the last word. White space is that of ASCII: a character beyond it,
// and U+0000, belongs to a word, so that no delta splits a character. A text of white space alone
// is one delta.
//
// The words of {words:N} are made as they are taken, so that a long reply takes no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine::scripted {

// How many deltas a text has; one is one token.
std::int64_t count_words(std::string_view text);

class Deltas {
public:
    // The deltas of "w1 w2 … wN" if `words` is N, else of `text`. They end before the first
    // occurrence of one of `stop`.
    Deltas(std::string text, std::optional<std::int64_t> words, std::vector<std::string> stop);

    bool more() const { return end_ > at_; }
    std::string take();  // Only while there is more.
    std::int64_t taken() const { return taken_; }

    // Takes all that begin within the first `bytes` bytes of the text.
    void skip(std::size_t bytes);

    // Whether the text ends at a stop sequence; known when there is no more.
    bool cut() const { return cut_; }

private:
    void find_next();
    void write_more();

    std::string text_;
    std::int64_t unwritten_from_ = 1;  // The first of the words to make that is not in text_ yet.
    std::int64_t words_ = 0;
    std::vector<std::string> stop_;
    std::size_t longest_stop_ = 0;
    std::size_t at_ = 0;   // The beginning of the next delta in text_,
    std::size_t end_ = 0;  // and its end.
    std::int64_t taken_ = 0;
    bool cut_ = false;
};

}  // namespace parley::engine::scripted
