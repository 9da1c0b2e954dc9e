#include "store/postgres/schema.hpp"
#include "store/postgres/types.hpp"
#include "store/sqlite/backup.hpp"
#include "store/sqlite/opening.hpp"
#include "store/transfer/scratch.hpp"
#include "store/transfer/tables.hpp"
#include "store/transfer/transfer.hpp"

namespace parley::store::transfer {
namespace {

using postgres::libpq;
using postgres::Link;

constexpr std::size_t bytes_at_once = std::size_t{4} << 20U;
constexpr std::size_t inserts_at_once = 500;

Error refused(const std::string& why)
{
    return {Errc::conflict, "The PostgreSQL database " + why + "; give an empty one."};
}

Result<> check_unused(Link& link)
{
    if (link.text("SELECT count(*) FROM users") != "0") return refused("has users");
    if (link.text("SELECT count(*) FROM replicas WHERE NOT fenced"
                  " AND beat_at > clock_timestamp() - interval '10 s'") != "0")
        return refused("is used by a running server");
    return {};
}

// Rows come in any order: references are checked at the end.
class DeferredReferences {
public:
    explicit DeferredReferences(Link& link) : link_(link)
    {
        const auto found = link.execute(
            "SELECT conrelid::regclass::text, quote_ident(conname) FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace");
        for (int i = 0; i < libpq().PQntuples(found.get()); ++i)
            changes_.push_back(std::string("ALTER TABLE ") + libpq().PQgetvalue(found.get(), i, 0) +
                               " ALTER CONSTRAINT " + libpq().PQgetvalue(found.get(), i, 1));
        for (const std::string& change : changes_)
            link.execute(change + " DEFERRABLE INITIALLY DEFERRED");
    }
    void check()
    {
        link_.execute("SET CONSTRAINTS ALL IMMEDIATE");
        for (const std::string& change : changes_) link_.execute(change + " NOT DEFERRABLE");
    }

private:
    Link& link_;
    std::vector<std::string> changes_;
};

// Sends rows, as many at a time as memory allows.
class Inserts {
public:
    Inserts(Link& to, const Table& table) : to_(to), table_(table)
    {
        std::vector<Oid> types;
        std::string parameters;
        for (const Column& column : table.columns) {
            types.push_back(column.kind == Kind::integer ? postgres::type_bigint
                                                         : postgres::type_bytea);
            parameters += (parameters.empty() ? "$" : ", $") + std::to_string(types.size());
        }
        to.send_prepare("",
                        "INSERT INTO " + quoted(table.name) + " (" + table.list_of_columns() +
                            ") VALUES (" + parameters + ")",
                        types);
    }

    void add(const sqlite::SqliteStatement& row)
    {
        std::vector<std::string> texts(table_.columns.size());
        std::vector<const char*> values(texts.size(), nullptr);
        std::vector<int> sizes(texts.size(), 0);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const int at = static_cast<int>(i);
            if (row.is_null(at) || is_left_out(table_, table_.columns[i])) continue;
            texts[i] = table_.columns[i].kind == Kind::integer
                           ? postgres::to_network_order(row.integer(at))
                           : std::string(row.bytes(at));
            values[i] = texts[i].data();
            sizes[i] = static_cast<int>(texts[i].size());
            waiting_bytes_ += texts[i].size();
        }
        to_.send_prepared("", values, sizes);
        if (++waiting_ == inserts_at_once || waiting_bytes_ > bytes_at_once) finish();
    }
    void finish()
    {
        to_.answer();
        waiting_ = waiting_bytes_ = 0;
    }

private:
    Link& to_;
    const Table& table_;
    std::size_t waiting_ = 0;
    std::size_t waiting_bytes_ = 0;
};

void copy_table(sqlite::Database& from, Link& to, const Table& table)
{
    to.execute("DELETE FROM " + quoted(table.name));
    Inserts inserts(to, table);
    const auto rows =
        prepared(from, "SELECT " + table.list_of_columns() + " FROM " + quoted(table.name));
    while (rows->next()) inserts.add(*rows);
    inserts.finish();
}

// Goes on after this number; 0: none was used.
void set_sequence(Link& to, const std::string& sequence, const std::string& last)
{
    to.execute("SELECT setval('" + sequence + "', greatest(last, 1), last > 0) FROM (SELECT " +
               last + " AS last) AS used");
}

// Numbers that were used once are not used again, also if their rows are gone.
void copy_numbers(sqlite::Database& from, Link& to)
{
    const auto sequences = to.execute(
        "SELECT c.relname, a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname)"
        " FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid"
        " WHERE a.attidentity <> '' AND c.relnamespace = current_schema()::regnamespace");
    for (int i = 0; i < libpq().PQntuples(sequences.get()); ++i) {
        const std::string table = libpq().PQgetvalue(sequences.get(), i, 0);
        const std::string column = quoted(libpq().PQgetvalue(sequences.get(), i, 1));
        const auto used = prepared(from, "SELECT seq FROM sqlite_sequence WHERE name = ?1");
        used->bind(1, std::string_view(table));
        const std::int64_t last = used->next() ? used->integer(0) : 0;
        set_sequence(to, libpq().PQgetvalue(sequences.get(), i, 2),
                     "greatest(" + std::to_string(last) + ", coalesce((SELECT max(" + column +
                         ") FROM " + quoted(table) + "), 0))");
    }
    set_sequence(to, "activity", "(SELECT value FROM counters WHERE name = 'activity')");
}

Result<> copy_all(sqlite::Database& from, Link& to)
{
    if (auto made = postgres::migrate(to); !made) return made;
    to.execute("BEGIN");
    if (auto unused = check_unused(to); !unused) {
        to.execute("ROLLBACK");
        return unused;
    }
    DeferredReferences references(to);
    // News and events of servers that used it once have numbers that are used again.
    for (const char* table : {"search_docs", "search_buckets", "heard", "run_events"})
        to.execute(std::string("DELETE FROM ") + table);
    for (const Table& table : tables_of(from)) copy_table(from, to, table);
    copy_numbers(from, to);
    to.execute(forget_index);
    references.check();
    to.execute("COMMIT");
    return {};
}

}  // namespace

Result<> copy_to_postgres(const std::filesystem::path& backup, const postgres::Options& database,
                          const std::filesystem::path& scratch)
{
    if (auto loaded = postgres::load_library(); !loaded) return loaded.error();
    if (auto copied = sqlite::restore_database(backup, scratch); !copied) return copied.error();
    const Scratch removal(scratch);
    auto source = sqlite::open_for_writing({.file = scratch});  // To update its schema.
    if (!source) return source.error();
    try {
        Link target(database, [] { return false; });
        return copy_all(*source, target);
    } catch (const postgres::Failure& failure) {
        return Error{
            Errc::storage_unavailable,
            std::string("The PostgreSQL database cannot be used: ") + failure.what() + "."};
    } catch (const sqlite::Failure& failure) {
        return sqlite::to_error(failure);
    }
}

}  // namespace parley::store::transfer
