#include "search/query.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <span>

namespace parley::search {
namespace {

// Keyboards of phones and word processors write the other ones.
constexpr bool is_quote(char32_t code)
{
    return code == U'"' || code == U'“' || code == U'”' || code == U'„';
}

constexpr bool is_space(char32_t code)
{
    return code == U' ' || (code >= 0x09 && code <= 0x0d) || code == 0xa0 || code == 0x3000 ||
           (code >= 0x2000 && code <= 0x200b);
}

// More marks than these are of no use: the rest of the text is not read.
constexpr std::size_t max_occurrences = 1000;

bool is_at(const Term& term, std::span<const Word> words)
{
    if (words.size() < term.words.size()) return false;
    for (std::size_t i = 0; i < term.words.size(); ++i) {
        const bool may_go_on = term.is_prefix && i + 1 == term.words.size();
        const std::string& wanted = term.words[i];
        if (may_go_on ? !words[i].key.starts_with(wanted) : words[i].key != wanted) return false;
    }
    return true;
}

}  // namespace

Query Query::parse(std::string_view text)
{
    Query query;
    bool is_quoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, bytes] = utf8::first(text.substr(at));
        if (bytes > 0 && (is_quote(code) || (is_space(code) && !is_quoted))) {
            query.add_term(text.substr(begin, at - begin));
            is_quoted = is_quote(code) && !is_quoted;
            begin = at + bytes;
        }
        at += bytes == 0 ? 1 : bytes;
    }
    query.add_term(text.substr(begin));
    return query;
}

void Query::add_term(std::string_view text)
{
    Term term;
    std::size_t end = 0;
    for (Word& word : words_of(text)) {
        end = word.end;
        term.words.push_back(std::move(word.key));
    }
    if (term.words.empty()) return;
    term.is_prefix = text.substr(end).starts_with('*');
    if (std::ranges::find(terms_, term) == terms_.end()) terms_.push_back(std::move(term));
}

std::vector<Occurrence> Query::find_in(std::string_view text) const
{
    const std::vector<Word> words = words_of(text);
    std::vector<Occurrence> found;
    std::vector<bool> is_found(terms_.size());
    std::size_t missing = terms_.size();
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (missing == 0 && found.size() > max_occurrences) break;
        const auto rest = std::span(words).subspan(at);
        for (std::size_t term = 0; term < terms_.size(); ++term) {
            if (!is_at(terms_[term], rest)) continue;
            if (!is_found[term]) --missing;
            is_found[term] = true;
            found.push_back({term, words[at].begin, rest[terms_[term].words.size() - 1].end});
        }
    }
    if (missing > 0) found.clear();
    return found;
}

}  // namespace parley::search
