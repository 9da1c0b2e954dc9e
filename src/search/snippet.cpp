#include "search/snippet.hpp"

#include <algorithm>

namespace parley::search {
namespace {

constexpr std::size_t max_bytes = 200;
constexpr std::size_t bytes_before = 60;  // Bytes shown before the first mark.
constexpr std::string_view ellipsis = "…";

// The first occurrence of the part that contains the most terms.
std::size_t best_begin(const std::vector<Occurrence>& found, std::size_t terms)
{
    constexpr std::size_t room = max_bytes - bytes_before;
    std::vector<std::size_t> counts(terms);
    std::size_t distinct = 0;
    std::size_t most = 0;
    std::size_t best = 0;
    std::size_t first = 0;
    for (std::size_t last = 0; last < found.size(); ++last) {
        if (counts[found[last].term]++ == 0) ++distinct;
        for (; found[last].end > found[first].begin + room && first < last; ++first)
            if (--counts[found[first].term] == 0) --distinct;
        if (distinct > most) {
            most = distinct;
            best = first;
        }
    }
    return found[best].begin;
}

bool is_inside_character(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Begins at a word, if one begins near.
Window window_at(std::string_view text, std::size_t mark)
{
    Window window;
    if (mark > bytes_before) {
        const std::size_t earliest = mark - bytes_before;
        const std::size_t space = text.substr(earliest, bytes_before / 2).find(' ');
        window.begin = space == text.npos ? earliest : earliest + space + 1;
        while (is_inside_character(text, window.begin)) ++window.begin;
    }
    window.end = std::min(text.size(), window.begin + max_bytes);
    while (is_inside_character(text, window.end)) --window.end;
    return window;
}

void replace_controls(std::string& text)
{
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
}

}  // namespace

std::optional<Snippet> snippet_of(std::string_view text, const Query& query)
{
    const std::vector<Occurrence> found = query.find_in(text);
    if (found.empty()) return std::nullopt;
    const Window window = window_at(text, best_begin(found, query.terms().size()));

    Snippet snippet{.text = window.begin > 0 ? std::string(ellipsis) : ""};
    const std::size_t shift = snippet.text.size();
    snippet.text += text.substr(window.begin, window.end - window.begin);
    replace_controls(snippet.text);
    if (window.end < text.size()) snippet.text += ellipsis;
    for (const Occurrence& each : found) {
        const std::size_t begin = std::max(each.begin, window.begin);
        const std::size_t end = std::min(each.end, window.end);
        if (begin >= end) continue;
        const std::pair mark(begin - window.begin + shift, end - window.begin + shift);
        if (!snippet.marks.empty() && mark.first <= snippet.marks.back().second)
            snippet.marks.back().second = std::max(snippet.marks.back().second, mark.second);
        else
            snippet.marks.push_back(mark);
    }
    return snippet;
}

}  // namespace parley::search
