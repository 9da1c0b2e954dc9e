// The words of a text as they are compared: without case and accents, in one Unicode form. Scripts
// that are written without spaces (Chinese, Japanese, Thai …) give one word for each character, so
// that any part of a text can be found. Punctuation separates words; symbols and emoji are words.
//
// Threads: from any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace parley::search {

struct Word {
    std::string key = {};   // As it is compared; at most max_key_bytes.
    std::size_t begin = 0;  // In the text, in bytes.
    std::size_t end = 0;

    bool operator==(const Word&) const = default;
};

// Longer words are equal if they begin with the same bytes.
inline constexpr std::size_t max_key_bytes = 64;

// Words of a text that can be found; those behind them cannot.
inline constexpr std::size_t max_words = 65'536;

class WordReader {
public:
    // The text must outlive the reader. Bytes that are not UTF-8 separate words.
    explicit WordReader(std::string_view text) : text_(text) {}

    // False at the end of the text.
    bool next(Word& word);

private:
    void read_word();
    void read_characters();
    void read_symbol();

    std::string_view text_;
    std::size_t at_ = 0;
    std::deque<Word> read_;  // Several characters may come from one part of the text.
};

// The first max_words words.
std::vector<Word> words_of(std::string_view text);

// Changes if the keys of any text may change, so that an index has to be built again.
std::string version_of_words();

}  // namespace parley::search
