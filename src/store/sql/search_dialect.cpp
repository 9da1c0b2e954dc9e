#include "store/sql/search_dialect.hpp"

#include "search/words.hpp"
#include "store/sql/packed_texts.hpp"

namespace parley::store::sql {
namespace {

constexpr std::size_t most_words_of_a_phrase = 8;

}  // namespace

IndexedTerm indexed_part(const search::Term& term)
{
    if (term.words.size() <= most_words_of_a_phrase) return {term.words, term.is_prefix};
    return {std::span(term.words).first(most_words_of_a_phrase), false};
}

std::string searched_text(std::string_view packed_parts)
{
    std::string text;
    while (!packed_parts.empty()) {
        if (!text.empty()) text += '\n';
        text += take_packed(packed_parts);
    }
    return text;
}

std::vector<std::string> indexed_words(std::string_view packed_parts)
{
    const std::string text = searched_text(packed_parts);
    std::vector<std::string> keys;
    for (search::Word& word : search::words_of(text)) keys.push_back(std::move(word.key));
    return keys;
}

}  // namespace parley::store::sql
