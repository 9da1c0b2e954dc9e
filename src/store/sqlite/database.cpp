#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

Query::~Query()
{
    // What sqlite3_reset() returns is the failure that step() has already reported.
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

void Query::bind_at(int index, std::int64_t value)
{
    if (sqlite3_bind_int64(statement_, index, value) != SQLITE_OK)
        fail(sqlite3_db_handle(statement_), "bind");
}

void Query::bind_at(int index, std::string_view text)
{
    // As a blob it would lose its order among texts; as a text it keeps every byte, NUL too. A null
    // pointer would become NULL.
    const char* bytes = text.data() ? text.data() : "";
    if (sqlite3_bind_text64(statement_, index, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8) !=
        SQLITE_OK)
        fail(sqlite3_db_handle(statement_), "bind");
}

void Query::bind_at(int index, Blob blob)
{
    const char* bytes = blob.bytes.data() ? blob.bytes.data() : "";
    if (sqlite3_bind_blob64(statement_, index, bytes, blob.bytes.size(), SQLITE_STATIC) !=
        SQLITE_OK)
        fail(sqlite3_db_handle(statement_), "bind");
}

bool Query::next()
{
    switch (sqlite3_step(statement_)) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            fail(sqlite3_db_handle(statement_), sqlite3_sql(statement_));
    }
}

bool Query::run()
{
    if (sqlite3_step(statement_) == SQLITE_DONE) return true;
    sqlite3* handle = sqlite3_db_handle(statement_);
    const int code = sqlite3_extended_errcode(handle);
    if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY) return false;
    fail(handle, sqlite3_sql(statement_));
}

std::string_view Query::bytes(int column) const
{
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return data ? std::string_view(data, size) : std::string_view();
}

Database::Database(const std::filesystem::path& file, Access access, const char* vfs)
{
    const int flags = (access == Access::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) |
                      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW;
    sqlite3* handle = nullptr;
    const int opened = sqlite3_open_v2(file.c_str(), &handle, flags, vfs);
    handle_.reset(handle);
    if (opened != SQLITE_OK) fail(handle, "open");

    // A last connection that closes must not checkpoint on its own: after a failed sync that would
    // spread the damage, and the writer does it when it is right.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // Only a program other than ours could hold a lock: somebody's sqlite3 shell.
    sqlite3_busy_timeout(handle, 2000);
    execute("PRAGMA cell_size_check=ON");
    execute("PRAGMA foreign_keys=ON");
}

Database::Statement Database::prepare(const char* sql, unsigned int flags)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(handle(), sql, -1, flags, &statement, nullptr) != SQLITE_OK)
        fail(handle(), sql);
    return Statement(statement);
}

Query Database::query(const char* sql)
{
    Statement& statement = kept_[sql];
    if (!statement) statement = prepare(sql, SQLITE_PREPARE_PERSISTENT);
    return Query(statement.get());
}

void Database::execute(const char* sql)
{
    if (sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle(), sql);
}

std::int64_t Database::integer(const char* sql)
{
    const Statement statement = prepare(sql, 0);
    if (sqlite3_step(statement.get()) != SQLITE_ROW) fail(handle(), sql);
    return sqlite3_column_int64(statement.get(), 0);
}

std::string Database::text(const char* sql)
{
    const Statement statement = prepare(sql, 0);
    if (sqlite3_step(statement.get()) != SQLITE_ROW) fail(handle(), sql);
    return Query(statement.get()).text(0);
}

}  // namespace parley::store::sqlite
