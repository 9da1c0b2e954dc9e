// One connection to a SQLite database, and the queries that run on it.
//
//   Query insert = db.query("INSERT INTO audit (id, at) VALUES (?1, ?2)");
//   insert.bind(event.id, at);
//   insert.run();
//
// What SQLite reports as failed is thrown as a Failure and never leaves this room: the writer and
// the readers catch it at their door and make an Error of it (see failure.hpp).
//
// Threads: a connection belongs to one thread at a time.
#pragma once

#include "store/sqlite/failure.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace parley::store::sqlite {

// Bytes that are no text.
struct Blob {
    std::string_view bytes;
};

// A prepared statement in use. Going out of scope, it is ready for its next use.
class Query {
public:
    explicit Query(sqlite3_stmt* statement) : statement_(statement) {}
    ~Query();
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    // Sets ?1, ?2, … A text must live until the query has run. An optional that holds nothing is
    // NULL.
    template <class... Values>
    Query& bind(const Values&... values)
    {
        int index = 0;
        (bind_at(++index, values), ...);
        return *this;
    }

    // Goes to the next row; false where there is none.
    bool next();

    // Runs a statement that gives no rows. False where it would break a UNIQUE or PRIMARY KEY rule.
    bool run();

    bool is_null(int column) const
    {
        return sqlite3_column_type(statement_, column) == SQLITE_NULL;
    }
    std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
    std::string_view bytes(int column) const;
    std::string text(int column) const { return std::string(bytes(column)); }

private:
    void bind_at(int index, std::int64_t value);
    void bind_at(int index, std::string_view text);
    void bind_at(int index, Blob blob);
    template <class T>
    void bind_at(int index, const std::optional<T>& value)
    {
        if (value) bind_at(index, *value);  // Where nothing was bound is NULL.
    }

    sqlite3_stmt* statement_;
};

class Database {
public:
    enum class Access { read, write };

    // `vfs` may name a file system of SQLite's other than its default one.
    Database(const std::filesystem::path& file, Access access, const char* vfs = nullptr);

    // The statement is prepared once and kept: `sql` must be a literal.
    Query query(const char* sql);

    // For statements without parameters that run seldom; a PRAGMA must not be kept prepared, since
    // it acts when it is prepared.
    void execute(const char* sql);
    std::int64_t integer(const char* sql);
    std::string text(const char* sql);

    sqlite3* handle() const { return handle_.get(); }

private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Close>;

    Statement prepare(const char* sql, unsigned int flags);

    std::unique_ptr<sqlite3, Close> handle_;
    std::unordered_map<const char*, Statement> kept_;
};

}  // namespace parley::store::sqlite
