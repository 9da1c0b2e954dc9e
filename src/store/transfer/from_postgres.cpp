#include "base/hex.hpp"
#include "store/postgres/schema.hpp"
#include "store/sql/schema.hpp"
#include "store/sqlite/backup.hpp"
#include "store/sqlite/opening.hpp"
#include "store/transfer/scratch.hpp"
#include "store/transfer/tables.hpp"
#include "store/transfer/transfer.hpp"

namespace parley::store::transfer {
namespace {

using postgres::libpq;
using postgres::Link;

// Images have many MiB each, and all rows of a result are in memory.
int rows_at_once(const Table& table) { return table.name == "images" ? 1 : 200; }

// PostgreSQL shows bytes as \x and hexadecimal digits.
std::string bytes_of(std::string_view shown)
{
    auto bytes = from_hex(shown.substr(2));
    if (!bytes) throw sqlite::Failure(SQLITE_CORRUPT, "a value is not shown as hexadecimal bytes");
    return *std::move(bytes);
}

// One row of a result, bound to the statement that inserts it.
class Row {
public:
    Row(const Table& table, PGresult* result, int number)
        : table_(table), result_(result), number_(number)
    {
    }

    void insert_with(sqlite::SqliteStatement& statement)
    {
        texts_.resize(table_.columns.size());
        for (std::size_t i = 0; i < texts_.size(); ++i) bind(statement, static_cast<int>(i));
        statement.next();
        statement.reset();
    }

private:
    void bind(sqlite::SqliteStatement& statement, int column)
    {
        const Column& at = table_.columns[static_cast<std::size_t>(column)];
        if (is_left_out(table_, at) || libpq().PQgetisnull(result_, number_, column) != 0) return;
        const std::string_view shown = libpq().PQgetvalue(result_, number_, column);
        if (at.kind == Kind::integer)
            return statement.bind(column + 1, std::stoll(std::string(shown)));
        std::string& text = texts_[static_cast<std::size_t>(column)];
        text = bytes_of(shown);
        if (at.kind == Kind::text)
            statement.bind(column + 1, std::string_view(text));
        else
            statement.bind(column + 1, sql::Blob{text});
    }

    const Table& table_;
    PGresult* result_;
    int number_;
    std::vector<std::string> texts_;
};

std::string parameters(std::size_t count)
{
    std::string list;
    for (std::size_t i = 1; i <= count; ++i) list += (i == 1 ? "?" : ", ?") + std::to_string(i);
    return list;
}

void copy_table(Link& from, sqlite::Database& to, const Table& table, const std::atomic<bool>& stop)
{
    to.execute(("DELETE FROM " + quoted(table.name)).c_str());
    const auto insert =
        prepared(to, "INSERT INTO " + quoted(table.name) + " (" + table.list_of_columns() +
                         ") VALUES (" + parameters(table.columns.size()) + ")");
    from.execute("DECLARE moved NO SCROLL CURSOR FOR SELECT " + table.list_of_columns() + " FROM " +
                 quoted(table.name));
    const int most = rows_at_once(table);
    for (int count = most; count == most;) {
        if (stop) throw sqlite::Failure(SQLITE_INTERRUPT, "the server is shutting down");
        const auto rows = from.execute("FETCH " + std::to_string(most) + " FROM moved");
        count = libpq().PQntuples(rows.get());
        for (int i = 0; i < count; ++i) Row(table, rows.get(), i).insert_with(*insert);
    }
    from.execute("CLOSE moved");
}

// Numbers that were used once are not used again, also if their rows are gone.
void copy_numbers(Link& from, sqlite::Database& to, const std::vector<Table>& tables)
{
    to.execute("DELETE FROM sqlite_sequence");
    const auto insert = prepared(to, "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)");
    for (const Table& table : tables) {
        if (!table.never_reuses_numbers) continue;
        const std::string last =
            from.text("SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('" +
                      quoted(table.name) + "', '" + table.columns.front().name + "')), 0)");
        insert->bind(1, std::string_view(table.name));
        insert->bind(2, static_cast<std::int64_t>(std::stoll(last)));
        insert->next();
        insert->reset();
    }
    const std::string activity =
        from.text("SELECT coalesce(pg_sequence_last_value('activity'), 0)");
    to.execute("DELETE FROM counters WHERE name = 'heard'");
    to.execute(forget_index);
    to.execute(("UPDATE counters SET value = " + activity + " WHERE name = 'activity'").c_str());
}

void copy_all(Link& from, sqlite::Database& to, const std::atomic<bool>& stop)
{
    const auto tables = tables_of(to);
    to.execute("PRAGMA foreign_keys=OFF");  // Rows come in any order.
    to.execute("PRAGMA synchronous=OFF");   // The file that is kept is synced at the end.
    to.execute("BEGIN");
    from.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (const Table& table : tables) copy_table(from, to, table, stop);
    copy_numbers(from, to, tables);
    from.execute("COMMIT");
    to.execute("COMMIT");
    if (prepared(to, "SELECT 1 FROM pragma_foreign_key_check")->next())
        throw sqlite::Failure(SQLITE_CORRUPT, "a row refers to another one that is missing");
}

}  // namespace

Result<std::uint64_t> copy_to_file(const postgres::Options& database,
                                   const std::filesystem::path& file, const std::atomic<bool>& stop)
{
    std::filesystem::path part = file;
    part += ".rows";
    const Scratch scratch(part);
    auto target = sqlite::open_for_writing({.file = part});
    if (!target) return target.error();
    // Under the name of the server it would be ended while rows are written to the file: another
    // server takes a transaction that asks nothing for long for a stuck one
    // (cluster/postgres/fence.hpp).
    postgres::Options options = database;
    options.name = nullptr;
    try {
        Link source(options, [&stop] { return stop.load(); });
        // A later version may have added columns, which this one cannot copy.
        if (postgres::read_schema_state(source).value().version != sql::newest_version())
            return Error{Errc::storage_unavailable,
                         "The database has the schema of another version of Parley: make the "
                         "backup with that version."};
        copy_all(source, *target, stop);
        return sqlite::copy_database(*target, file, stop);
    } catch (const postgres::Failure& failure) {
        return postgres::to_error(failure);
    } catch (const sqlite::Failure& failure) {
        return sqlite::to_error(failure);
    }
}

}  // namespace parley::store::transfer
