// The index of words in SQLite: a table of FTS5 without content. It cannot read the text of a
// message again that was deleted, and needs it to remove its words: so a trigger keeps the texts of
// deleted messages until that is done.
#pragma once

#include "store/sql/search_dialect.hpp"

namespace parley::store::sqlite {

// Run with the step of the schema that creates `search_docs`. FTS5 splits the texts of this room at
// spaces alone: they contain no other ASCII characters than letters, digits and colons.
inline constexpr const char* search_tables = R"sql(
    CREATE VIRTUAL TABLE search_words USING fts5 (
        words, content = '', columnsize = 0, tokenize = "ascii tokenchars ':'"
    );

    CREATE TABLE search_leftovers (
        doc     INTEGER PRIMARY KEY,
        owner   INTEGER NOT NULL,
        bucket  INTEGER NOT NULL,
        session INTEGER NOT NULL,
        speaker TEXT NOT NULL,
        parts   BLOB NOT NULL
    ) STRICT;

    CREATE TRIGGER keep_indexed_text BEFORE DELETE ON messages BEGIN
        INSERT INTO search_leftovers (doc, owner, bucket, session, speaker, parts)
            SELECT doc, owner, bucket, old.session, old.speaker, old.parts FROM search_docs
            WHERE message = old.position;
    END;

    -- The positions of the newest messages are used again if those are deleted.
    CREATE TRIGGER lower_search_mark AFTER DELETE ON messages BEGIN
        UPDATE counters SET value = (SELECT coalesce(max(position), 0) FROM messages)
            WHERE name = 'searchable'
            AND value > (SELECT coalesce(max(position), 0) FROM messages);
    END;
)sql";

class SqliteSearchDialect final : public sql::SearchDialect {
public:
    const char* find() const override;
    std::string condition_text(const sql::SearchCondition& condition) const override;
    void prepare(sql::Connection& /*connection*/) const override {}
    std::string index_text(const sql::IndexedMessage& message) const override;
    const char* highest_doc() const override;
    void add(sql::Connection& connection, const sql::SearchDoc& doc) const override;
    std::vector<sql::SearchDoc> leftovers(sql::Connection& connection,
                                          std::size_t most) const override;
    void remove(sql::Connection& connection, const sql::SearchDoc& leftover) const override;
    void clear(sql::Connection& connection) const override;
    bool commits_in_order() const override { return true; }
};

}  // namespace parley::store::sqlite
