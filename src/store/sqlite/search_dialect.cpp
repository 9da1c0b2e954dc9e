#include "store/sqlite/search_dialect.hpp"

#include "search/query.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sqlite {
namespace {

// No word contains a colon, so neither of these is a word of a text.
std::string session_token(std::int64_t session) { return "s:" + std::to_string(session); }
std::string speaker_token(std::int64_t owner, std::string_view speaker)
{
    return std::to_string(owner) + "::" + std::string(speaker);
}

std::string word_prefix(std::int64_t owner, std::int64_t bucket)
{
    return std::to_string(owner) + ":" + std::to_string(bucket) + ":";
}

void append_phrase(std::string& text, std::string_view phrase, bool is_prefix = false)
{
    text += text.empty() || text.ends_with('(') ? "\"" : " AND \"";
    text += phrase;
    text += is_prefix ? "\" *" : "\"";
}

// All terms in one bucket.
std::string in_bucket(const sql::SearchCondition& condition, std::int64_t bucket)
{
    const std::string prefix = word_prefix(condition.owner, bucket);
    std::string text = "(";
    for (const search::Term& term : condition.query->terms()) {
        std::string phrase;
        const sql::IndexedTerm indexed = sql::indexed_part(term);
        for (const std::string& word : indexed.words) {
            if (!phrase.empty()) phrase += ' ';
            phrase += prefix + word;
        }
        append_phrase(text, phrase, indexed.is_prefix);
    }
    return text + ")";
}

struct LeftoverColumns {
    const sql::Statement* in;
    sql::Column<std::int64_t> doc{*in, "doc"};
    sql::Column<std::int64_t> owner{*in, "owner"};
    sql::Column<std::int64_t> bucket{*in, "bucket"};
    sql::Column<std::int64_t> session{*in, "session"};
    sql::Column<std::string> speaker{*in, "speaker"};
    sql::Column<std::string_view> parts{*in, "parts"};
};

}  // namespace

const char* SqliteSearchDialect::find() const
{
    return "SELECT search_docs.doc, messages.id AS message_id, sessions.id AS session_id,"
           " sessions.title, messages.speaker, messages.created_ms, messages.parts"
           " FROM search_words CROSS JOIN search_docs ON search_docs.doc = search_words.rowid"
           " CROSS JOIN messages ON messages.position = search_docs.message"
           " CROSS JOIN sessions ON sessions.position = messages.session"
           " WHERE search_words MATCH ?1 AND search_docs.owner = ?2"
           " AND search_words.rowid < ?3 AND search_words.rowid >= ?4"
           " AND messages.created_ms >= ?5 AND messages.created_ms < ?6"
           " AND sessions.removed <> 1"
           " ORDER BY search_words.rowid DESC LIMIT ?7";
}

std::string SqliteSearchDialect::condition_text(const sql::SearchCondition& condition) const
{
    std::string text;
    for (const std::int64_t bucket : condition.buckets)
        text += (text.empty() ? "(" : " OR ") + in_bucket(condition, bucket);
    text += ")";
    if (condition.session) append_phrase(text, session_token(*condition.session));
    if (condition.speaker) append_phrase(text, speaker_token(condition.owner, *condition.speaker));
    return text;
}

std::string SqliteSearchDialect::index_text(const sql::IndexedMessage& message) const
{
    const std::string prefix = " " + word_prefix(message.owner, message.bucket);
    std::string text =
        session_token(message.session) + " " + speaker_token(message.owner, message.speaker);
    for (const std::string& word : message.words) {
        text += prefix;
        text += word;
    }
    return text;
}

const char* SqliteSearchDialect::highest_doc() const
{
    return "SELECT max((SELECT coalesce(max(doc), -1) FROM search_docs WHERE doc < ?1),"
           " (SELECT coalesce(max(doc), -1) FROM search_leftovers WHERE doc < ?1))";
}

void SqliteSearchDialect::add(sql::Connection& connection, const sql::SearchDoc& doc) const
{
    sql::Query row = connection.query(
        "INSERT INTO search_docs (doc, message, owner, bucket) VALUES (?1, ?2, ?3, ?4)");
    row.bind(doc.doc, doc.message, doc.owner, doc.bucket).run();
    sql::Query words = connection.query("INSERT INTO search_words (rowid, words) VALUES (?1, ?2)");
    words.bind(doc.doc, doc.text).run();
}

std::vector<sql::SearchDoc> SqliteSearchDialect::leftovers(sql::Connection& connection,
                                                           std::size_t most) const
{
    sql::Query rows = connection.query(
        "SELECT doc, owner, bucket, session, speaker, parts FROM search_leftovers"
        " ORDER BY doc LIMIT ?1");
    rows.bind(sql::at_most(most));
    std::vector<sql::SearchDoc> docs;
    while (rows.next()) {
        const auto& at = rows.columns<LeftoverColumns>();
        const std::vector<std::string> words = sql::indexed_words(rows[at.parts]);
        const std::string speaker = rows[at.speaker];
        docs.push_back({.doc = rows[at.doc],
                        .owner = rows[at.owner],
                        .bucket = rows[at.bucket],
                        .text = index_text({.owner = rows[at.owner],
                                            .bucket = rows[at.bucket],
                                            .session = rows[at.session],
                                            .speaker = speaker,
                                            .words = words})});
    }
    return docs;
}

void SqliteSearchDialect::remove(sql::Connection& connection, const sql::SearchDoc& leftover) const
{
    sql::Query row = connection.query("DELETE FROM search_leftovers WHERE doc = ?1");
    if (row.bind(leftover.doc).run() == 0) return;
    sql::Query words = connection.query(
        "INSERT INTO search_words (search_words, rowid, words) VALUES ('delete', ?1, ?2)");
    words.bind(leftover.doc, leftover.text).run();
}

void SqliteSearchDialect::clear(sql::Connection& connection) const
{
    connection.query("DELETE FROM search_docs").run();
    connection.query("DELETE FROM search_leftovers").run();
    connection.query("INSERT INTO search_words (search_words) VALUES ('delete-all')").run();
}

}  // namespace parley::store::sqlite
