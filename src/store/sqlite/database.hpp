// One connection to a SQLite database, and the statements that it keeps.
//
// Failures of SQLite are thrown as a Failure and never leave this room: the writer and the readers
// catch them and convert them to an Error (see failure.hpp).
//
// Threads: a connection belongs to one thread at a time.
#pragma once

#include "store/sql/connection.hpp"
#include "store/sqlite/failure.hpp"
#include "store/sqlite/search_dialect.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace parley::store::sqlite {

class SqliteStatement final : public sql::Statement {
public:
    explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

    void bind(int parameter, std::int64_t value) override;
    void bind(int parameter, std::string_view text) override;
    void bind(int parameter, sql::Blob blob) override;
    void bind_null(int /*parameter*/, sql::Type /*type*/) override {}  // As after reset().
    bool next() override;
    std::size_t changed() const override;
    std::optional<std::int64_t> insert() override;
    void reset() override;
    bool is_null(int column) const override;
    std::int64_t integer(int column) const override;
    std::string_view bytes(int column) const override;
    int column(std::string_view name) const override;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };

    sqlite3_stmt* get() const { return statement_.get(); }

    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database final : public sql::Connection {
public:
    enum class Access { read, write };

    // `vfs` may name a file system of SQLite's other than its default one.
    Database(const std::filesystem::path& file, Access access, const char* vfs = nullptr);

    // Only the writer changes anything, one job after the other.
    void lock(sql::Lock /*what*/, std::initializer_list<std::string_view> /*name*/) override {}
    std::int64_t next_activity() override;
    const sql::SearchDialect& search_dialect() const override { return search_dialect_; }

    // For statements without parameters that run seldom; a PRAGMA must not be kept prepared, since
    // it acts when it is prepared.
    void execute(const char* sql);
    std::int64_t integer(const char* sql);
    std::string text(const char* sql);

    sqlite3* handle() const { return handle_.get(); }

private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };

    sql::Statement& prepared(const char* sql) override;
    std::unique_ptr<SqliteStatement> prepare(const char* sql, unsigned int flags);
    std::unique_ptr<SqliteStatement> first_row(const char* sql);

    SqliteSearchDialect search_dialect_;
    std::unique_ptr<sqlite3, Close> handle_;
    std::unordered_map<const char*, std::unique_ptr<SqliteStatement>> kept_;
};

}  // namespace parley::store::sqlite
