#include "store/sql/search_dialect.hpp"

#include "search/words.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/packed_texts.hpp"

namespace parley::store::sql {
namespace {

constexpr std::size_t most_words_of_a_phrase = 8;

bool is_wanted(Connection& connection, const SearchCandidate& candidate)
{
    Query select = connection.query(
        "SELECT 1 FROM messages WHERE position = ?1 AND id = ?2"
        " AND NOT EXISTS (SELECT 1 FROM search_docs WHERE search_docs.message = "
        "messages.position)");
    return select.bind(candidate.message, candidate.id).next();
}

}  // namespace

std::vector<std::optional<std::int64_t>> SearchDialect::look_up(
    Connection& connection, std::span<const SearchCandidate> candidates) const
{
    std::vector<std::optional<std::int64_t>> highest;
    highest.reserve(candidates.size());
    for (const SearchCandidate& each : candidates) {
        highest.emplace_back();
        if (!is_wanted(connection, each)) continue;
        Query select = connection.query(highest_doc());
        select.bind(each.before).next();
        highest.back() = select.only<std::int64_t>();
    }
    return highest;
}

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
