// The index of words in PostgreSQL: a tsvector in each row of `search_docs`, with a GIN index. The
// words come from the room `search`; no text search configuration of the server is used.
#pragma once

#include "store/sql/search_dialect.hpp"

#include <array>

namespace parley::store::postgres {

// Run with the step of the schema that creates `search_docs`. Searches of frequent words read the
// newest rows by their number, others use the GIN index; without `fastupdate` they do not have to
// read a list of pending changes.
inline constexpr auto search_tables = std::to_array<const char*>({
    "ALTER TABLE search_docs ADD COLUMN words tsvector NOT NULL",
    "CREATE INDEX search_docs_of_owner ON search_docs (owner, doc)",
    "CREATE INDEX search_docs_by_word ON search_docs USING gin (words) WITH (fastupdate = off)",
});

class PostgresSearchDialect final : public sql::SearchDialect {
public:
    const char* find() const override;
    std::string condition_text(const sql::SearchCondition& condition) const override;
    void prepare(sql::Connection& connection) const override;
    std::string index_text(const sql::IndexedMessage& message) const override;
    const char* highest_doc() const override;
    std::vector<std::optional<std::int64_t>> look_up(
        sql::Connection& connection,
        std::span<const sql::SearchCandidate> candidates) const override;
    void add(sql::Connection& connection, const sql::SearchDoc& doc) const override;
    // Rows of `search_docs` are deleted with their messages, and their words with them.
    std::vector<sql::SearchDoc> leftovers(sql::Connection& /*connection*/,
                                          std::size_t /*most*/) const override
    {
        return {};
    }
    void remove(sql::Connection& /*connection*/, const sql::SearchDoc& /*leftover*/) const override
    {
    }
    void clear(sql::Connection& connection) const override;
    bool commits_in_order() const override { return false; }
};

}  // namespace parley::store::postgres
