#include "store/postgres/search_dialect.hpp"

#include "search/query.hpp"
#include "store/sql/connection.hpp"

#include <map>

namespace parley::store::postgres {
namespace {

// Limits of a tsvector: positions from 1 to 16,383, at most 255 for each word, and 1 MiB in all.
constexpr std::size_t last_position = 16'383;
constexpr std::size_t most_positions = 255;
constexpr std::size_t max_vector_bytes = 900'000;

// A word of messages whose positions did not fit: phrases in them are checked in the text alone.
constexpr std::string_view incomplete = "'i:'";

// In ASCII, so that the encoding of the database does not matter. Words have no capital letters.
std::string lexeme(std::string_view word)
{
    std::string out = "'";
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            out += c;
        } else {
            out += static_cast<char>('A' + (byte >> 4));
            out += static_cast<char>('A' + (byte & 0xf));
        }
    }
    return out + "'";
}

std::string session_word(std::int64_t session) { return lexeme("s:" + std::to_string(session)); }
std::string speaker_word(std::int64_t owner, std::string_view speaker)
{
    return lexeme(std::to_string(owner) + "::" + std::string(speaker));
}

std::string word_prefix(std::int64_t owner, std::int64_t bucket)
{
    return std::to_string(owner) + ":" + std::to_string(bucket) + ":";
}

std::string joined(const std::vector<std::string>& parts, std::string_view by)
{
    std::string out;
    for (const std::string& part : parts) {
        if (!out.empty()) out += by;
        out += part;
    }
    return out;
}

std::string term_text(const search::Term& term, const std::string& prefix)
{
    std::vector<std::string> words;
    const sql::IndexedTerm indexed = sql::indexed_part(term);
    for (const std::string& word : indexed.words) words.push_back(lexeme(prefix + word));
    if (indexed.is_prefix) words.back() += ":*";
    if (words.size() == 1) return words.front();
    return "(" + joined(words, " <-> ") + " | " + std::string(incomplete) + " & " +
           joined(words, " & ") + ")";
}

struct CandidateColumns {
    const sql::Statement* in;
    sql::Column<std::optional<std::string>> id{*in, "id"};
    sql::Column<std::optional<std::int64_t>> doc{*in, "doc"};
    sql::Column<std::int64_t> highest{*in, "highest"};
};

// All terms in one bucket.
std::string in_bucket(const sql::SearchCondition& condition, std::int64_t bucket)
{
    const std::string prefix = word_prefix(condition.owner, bucket);
    std::vector<std::string> terms;
    for (const search::Term& term : condition.query->terms())
        terms.push_back(term_text(term, prefix));
    return joined(terms, " & ");
}

}  // namespace

const char* PostgresSearchDialect::find() const
{
    return "SELECT search_docs.doc, messages.id AS message_id, sessions.id AS session_id,"
           " sessions.title, messages.speaker, messages.created_ms, messages.parts"
           " FROM search_docs JOIN messages ON messages.position = search_docs.message"
           " JOIN sessions ON sessions.position = messages.session"
           " WHERE search_docs.words @@ convert_from(?1, 'UTF8')::tsquery"
           " AND search_docs.owner = ?2 AND search_docs.doc < ?3 AND search_docs.doc >= ?4"
           " AND messages.created_ms >= ?5 AND messages.created_ms < ?6"
           " AND sessions.removed <> 1"
           " ORDER BY search_docs.doc DESC LIMIT ?7";
}

std::string PostgresSearchDialect::condition_text(const sql::SearchCondition& condition) const
{
    std::vector<std::string> buckets;
    for (const std::int64_t bucket : condition.buckets)
        buckets.push_back(in_bucket(condition, bucket));
    std::string text = "(" + joined(buckets, " | ") + ")";
    if (condition.session) text += " & " + session_word(*condition.session);
    if (condition.speaker) text += " & " + speaker_word(condition.owner, *condition.speaker);
    return text;
}

// The best plan depends on how frequent the words are.
void PostgresSearchDialect::prepare(sql::Connection& connection) const
{
    connection.query("SET LOCAL plan_cache_mode = force_custom_plan").run();
}

std::string PostgresSearchDialect::index_text(const sql::IndexedMessage& message) const
{
    const std::string prefix = word_prefix(message.owner, message.bucket);
    std::map<std::string, std::vector<std::size_t>> positions;
    bool is_complete = message.words.size() <= last_position;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < message.words.size() && bytes < max_vector_bytes; ++i) {
        std::string word = lexeme(prefix + message.words[i]);
        const std::size_t size = word.size();
        auto& places = positions[std::move(word)];
        bytes += places.empty() ? size + 8 : 2;
        if (places.size() < most_positions)
            places.push_back(std::min(i + 1, last_position));
        else
            is_complete = false;
    }
    std::string text =
        session_word(message.session) + " " + speaker_word(message.owner, message.speaker);
    if (!is_complete) (text += ' ') += incomplete;
    for (const auto& [word, places] : positions) {
        (text += ' ') += word;
        char separator = ':';
        for (const std::size_t place : places) {
            (text += separator) += std::to_string(place);
            separator = ',';
        }
    }
    return text;
}

const char* PostgresSearchDialect::highest_doc() const
{
    return "SELECT coalesce(max(doc), -1) FROM search_docs WHERE doc < ?1";
}

// Each part of a row is found by an index, whatever PostgreSQL knows about the tables: subqueries
// in the list of columns are not joined.
std::vector<std::optional<std::int64_t>> PostgresSearchDialect::look_up(
    sql::Connection& connection, std::span<const sql::SearchCandidate> candidates) const
{
    std::vector<std::string> messages;
    std::vector<std::string> limits;
    for (const sql::SearchCandidate& each : candidates) {
        messages.push_back(std::to_string(each.message));
        limits.push_back(std::to_string(each.before));
    }
    const std::string all_messages = "{" + joined(messages, ",") + "}";
    const std::string all_limits = "{" + joined(limits, ",") + "}";
    sql::Query rows = connection.query(
        "SELECT (SELECT messages.id FROM messages WHERE messages.position = wanted.message) AS id,"
        " (SELECT search_docs.doc FROM search_docs"
        " WHERE search_docs.message = wanted.message) AS doc,"
        " (SELECT coalesce(max(search_docs.doc), -1) FROM search_docs"
        " WHERE search_docs.doc < wanted.before) AS highest"
        " FROM unnest(convert_from(?1, 'UTF8')::bigint[], convert_from(?2, 'UTF8')::bigint[])"
        " WITH ORDINALITY AS wanted (message, before, place) ORDER BY wanted.place");
    rows.bind(all_messages, all_limits);
    std::vector<std::optional<std::int64_t>> highest;
    highest.reserve(candidates.size());
    for (const sql::SearchCandidate& each : candidates) {
        if (!rows.next()) throw sql::damage("a message that was looked up has no row");
        const auto& at = rows.columns<CandidateColumns>();
        const bool is_wanted = rows[at.id] == each.id && !rows[at.doc];
        highest.push_back(is_wanted ? std::optional(rows[at.highest]) : std::nullopt);
    }
    return highest;
}

void PostgresSearchDialect::add(sql::Connection& connection, const sql::SearchDoc& doc) const
{
    sql::Query row = connection.query(
        "INSERT INTO search_docs (doc, message, owner, bucket, words)"
        " VALUES (?1, ?2, ?3, ?4, convert_from(?5, 'UTF8')::tsvector)");
    row.bind(doc.doc, doc.message, doc.owner, doc.bucket, doc.text).send();
}

void PostgresSearchDialect::clear(sql::Connection& connection) const
{
    connection.query("TRUNCATE search_docs").run();
}

}  // namespace parley::store::postgres
