#include "engine/scripted/deltas.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine::scripted {
namespace {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The end of the first delta of a text.
std::size_t first_delta(std::string_view text)
{
    const auto word = std::ranges::find_if_not(text, is_space);
    const auto end = std::find_if(word, text.end(), is_space);
    const bool is_last = std::all_of(end, text.end(), is_space);
    return is_last ? text.size() : static_cast<std::size_t>(end - text.begin());
}

}  // namespace

std::int64_t count_words(std::string_view text)
{
    std::int64_t words = 0;
    bool in_word = false;
    for (const char c : text) {
        words += !in_word && !is_space(c);
        in_word = !is_space(c);
    }
    return words == 0 && !text.empty() ? 1 : words;
}

Deltas::Deltas(std::string text, std::optional<std::int64_t> words, std::vector<std::string> stop)
    : text_(words ? std::string() : std::move(text)),
      words_(words.value_or(0)),
      stop_(std::move(stop))
{
    std::erase(stop_, "");
    for (const std::string& each : stop_) longest_stop_ = std::max(longest_stop_, each.size());
    find_next();
}

std::string Deltas::take()
{
    std::string delta = text_.substr(at_, end_ - at_);
    ++taken_;
    find_next();
    return delta;
}

void Deltas::skip(std::size_t bytes)
{
    for (std::size_t skipped = 0; skipped < bytes && more();) skipped += take().size();
}

void Deltas::find_next()
{
    at_ = end_;
    if (cut_) return;
    write_more();
    const std::string_view rest = std::string_view(text_).substr(at_);
    std::size_t size = first_delta(rest);
    for (const std::string& each : stop_) {
        // It may begin in this delta and end in a later one.
        const std::size_t found = rest.substr(0, size + each.size() - 1).find(each);
        if (found == rest.npos) continue;
        size = found;
        cut_ = true;
    }
    end_ = at_ + size;
}

// Writes as far ahead as the next delta needs.
void Deltas::write_more()
{
    constexpr std::size_t longest_word = 8;  // " w100000"
    constexpr std::size_t read_at_once = 4096;
    if (unwritten_from_ > words_) return;
    if (at_ >= read_at_once) {
        text_.erase(0, at_);
        at_ = 0;
    }
    while (unwritten_from_ <= words_ && text_.size() - at_ < longest_word + longest_stop_) {
        if (unwritten_from_ > 1) text_ += ' ';
        text_ += 'w';
        text_ += std::to_string(unwritten_from_++);
    }
}

}  // namespace parley::engine::scripted
