#include "search/words.hpp"

#include "base/utf8.hpp"
#include "search/characters.hpp"

#include <utility>

namespace parley::search {
namespace {

// Parts that are folded at once: folding takes time by the square of the number of marks.
constexpr std::size_t max_word_bytes = 256;
constexpr std::size_t max_cluster_bytes = 32;

bool is_ascii_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string lower_ascii(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::string key_of(std::string_view word, bool is_ascii)
{
    std::string key = is_ascii ? lower_ascii(word.substr(0, max_key_bytes))
                               : folded(utf8::cut(word, max_word_bytes));
    key.resize(utf8::cut(key, max_key_bytes).size());
    return key;
}

}  // namespace

bool WordReader::next(Word& word)
{
    while (read_.empty() && at_ < text_.size()) {
        const auto [code, bytes] = utf8::first(text_.substr(at_));
        switch (bytes == 0 ? Kind::separator : kind_of(code)) {
            case Kind::separator:
            case Kind::joiner:
                at_ += bytes == 0 ? 1 : bytes;
                break;
            case Kind::letter:
                read_word();
                break;
            case Kind::unspaced:
                read_characters();
                break;
            case Kind::symbol:
                read_symbol();
                break;
        }
    }
    if (read_.empty()) return false;
    word = std::move(read_.front());
    read_.pop_front();
    return true;
}

void WordReader::read_word()
{
    const std::size_t begin = at_;
    std::size_t end = at_;  // Behind the last letter: joiners at the end are not part of the word.
    bool is_ascii = true;
    while (at_ < text_.size()) {
        if (is_ascii_letter_or_digit(text_[at_])) {
            end = ++at_;
            continue;
        }
        const auto [code, bytes] = utf8::first(text_.substr(at_));
        const Kind kind = bytes == 0 ? Kind::separator : kind_of(code);
        if (kind != Kind::letter && kind != Kind::joiner) break;
        at_ += bytes;
        if (kind == Kind::letter) end = at_;
        is_ascii = false;
    }
    std::string key = key_of(text_.substr(begin, end - begin), is_ascii);
    if (!key.empty()) read_.push_back({std::move(key), begin, end});
}

void WordReader::read_characters()
{
    const std::size_t begin = at_;
    at_ += utf8::first(text_.substr(at_)).bytes;
    while (at_ < text_.size() && at_ - begin < max_cluster_bytes) {
        const auto [code, bytes] = utf8::first(text_.substr(at_));
        if (bytes == 0 || !is_mark(code)) break;
        at_ += bytes;
    }
    const std::string characters = folded(text_.substr(begin, at_ - begin));
    std::string_view rest = characters;
    while (!rest.empty()) {
        const std::size_t bytes = utf8::first(rest).bytes;
        read_.push_back({std::string(rest.substr(0, bytes)), begin, at_});
        rest.remove_prefix(bytes);
    }
}

void WordReader::read_symbol()
{
    const std::size_t begin = at_;
    at_ += utf8::first(text_.substr(at_)).bytes;
    std::string key = folded_symbol(text_.substr(begin, at_ - begin));
    if (!key.empty()) read_.push_back({std::move(key), begin, at_});
}

std::vector<Word> words_of(std::string_view text)
{
    std::vector<Word> words;
    WordReader reader(text);
    Word word;
    while (words.size() < max_words && reader.next(word)) words.push_back(std::move(word));
    return words;
}

std::string version_of_words()
{
    // To be raised with each change of this file or of characters.cpp.
    return "1, Unicode " + unicode_version();
}

}  // namespace parley::search
