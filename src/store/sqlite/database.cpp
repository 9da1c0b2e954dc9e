#include "store/sqlite/database.hpp"

#include <stdexcept>

namespace parley::store::sqlite {

void SqliteStatement::bind(int parameter, std::int64_t value)
{
    if (sqlite3_bind_int64(get(), parameter, value) != SQLITE_OK)
        fail(sqlite3_db_handle(get()), "bind");
}

void SqliteStatement::bind(int parameter, std::string_view text)
{
    // As a blob it would lose its order among texts; as a text it keeps every byte, NUL too. A null
    // pointer would become NULL.
    const char* bytes = text.data() ? text.data() : "";
    if (sqlite3_bind_text64(get(), parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8) !=
        SQLITE_OK)
        fail(sqlite3_db_handle(get()), "bind");
}

void SqliteStatement::bind(int parameter, sql::Blob blob)
{
    const char* bytes = blob.bytes.data() ? blob.bytes.data() : "";
    if (sqlite3_bind_blob64(get(), parameter, bytes, blob.bytes.size(), SQLITE_STATIC) != SQLITE_OK)
        fail(sqlite3_db_handle(get()), "bind");
}

bool SqliteStatement::next()
{
    switch (sqlite3_step(get())) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            fail(sqlite3_db_handle(get()), sqlite3_sql(get()));
    }
}

std::size_t SqliteStatement::changed() const
{
    return static_cast<std::size_t>(sqlite3_changes64(sqlite3_db_handle(get())));
}

std::optional<std::int64_t> SqliteStatement::insert()
{
    next();
    if (changed() == 0) return std::nullopt;
    return sqlite3_last_insert_rowid(sqlite3_db_handle(get()));
}

void SqliteStatement::reset()
{
    // The result of sqlite3_reset() is the failure that step() has already reported.
    sqlite3_reset(get());
    sqlite3_clear_bindings(get());
}

bool SqliteStatement::is_null(int column) const
{
    return sqlite3_column_type(get(), column) == SQLITE_NULL;
}

std::int64_t SqliteStatement::integer(int column) const
{
    return sqlite3_column_int64(get(), column);
}

std::string_view SqliteStatement::bytes(int column) const
{
    const auto* data = static_cast<const char*>(sqlite3_column_blob(get(), column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(get(), column));
    return data ? std::string_view(data, size) : std::string_view();
}

int SqliteStatement::column(std::string_view name) const
{
    for (int i = 0; i < sqlite3_column_count(get()); ++i)
        if (name == sqlite3_column_name(get(), i)) return i;
    throw std::logic_error("no column " + std::string(name) + " in: " + sqlite3_sql(get()));
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

std::unique_ptr<SqliteStatement> Database::prepare(const char* sql, unsigned int flags)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(handle(), sql, -1, flags, &statement, nullptr) != SQLITE_OK)
        fail(handle(), sql);
    return std::make_unique<SqliteStatement>(statement);
}

sql::Statement& Database::prepared(const char* sql)
{
    auto& statement = kept_[sql];
    if (!statement) statement = prepare(sql, SQLITE_PREPARE_PERSISTENT);
    return *statement;
}

std::int64_t Database::next_activity()
{
    query("UPDATE counters SET value = value + 1 WHERE name = 'activity'").run();
    sql::Query count = query("SELECT value FROM counters WHERE name = 'activity'");
    count.next();
    return count.only<std::int64_t>();
}

void Database::execute(const char* sql)
{
    if (sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle(), sql);
}

std::unique_ptr<SqliteStatement> Database::first_row(const char* sql)
{
    auto statement = prepare(sql, 0);
    if (!statement->next()) fail(handle(), sql);
    return statement;
}

std::int64_t Database::integer(const char* sql) { return first_row(sql)->integer(0); }

std::string Database::text(const char* sql) { return std::string(first_row(sql)->bytes(0)); }

}  // namespace parley::store::sqlite
