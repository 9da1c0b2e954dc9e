#include "store/postgres/schema.hpp"

#include "base/log.hpp"
#include "store/postgres/index_builds.hpp"
#include "store/postgres/limit_tables.hpp"
#include "store/postgres/replica_tables.hpp"
#include "store/postgres/schema_dialect.hpp"
#include "store/postgres/search_dialect.hpp"
#include "store/sql/schema.hpp"
#include "store/sql/schema_of_replicas.hpp"
#include "store/sql/schema_of_search.hpp"

#include <chrono>
#include <string>
#include <thread>

namespace parley::store::postgres {
namespace {

constexpr int oldest_server = 150000;

// "Parl" and "ey": the number of the lock under which a schema changes.
constexpr const char* lock_schema = "SELECT pg_try_advisory_lock(x'5061726c6579'::bigint)";
constexpr const char* unlock_schema = "SELECT pg_advisory_unlock(x'5061726c6579'::bigint)";
constexpr const char* lock_server = "SELECT pg_try_advisory_lock_shared(x'5061726c657a'::bigint)";
constexpr const char* unlock_server = "SELECT pg_advisory_unlock_shared(x'5061726c657a'::bigint)";

Error refused(const std::string& why)
{
    return {Errc::storage_unavailable, "The PostgreSQL database " + why};
}

Result<> check_server(Link& link)
{
    if (link.server_version() < oldest_server)
        return refused("is older than version 15, the oldest that Parley supports.");
    if (link.text("SELECT pg_backend_pid()") != std::to_string(link.process()))
        return refused(
            "is behind a connection pooler, which breaks prepared statements. Connect to "
            "PostgreSQL directly: Parley has its own pool (store.connections).");
    return {};
}

Result<> check_version(const SchemaState& state)
{
    if (state.oldest_program <= sql::newest_version()) return {};
    return refused("was updated by a newer Parley (schema " + std::to_string(state.version) +
                   ", this one knows " + std::to_string(sql::newest_version()) +
                   "); start that version again.");
}

// Parts that SQLite does not need: a sequence instead of a counter, and the marks of transactions.
void create_own_parts(Link& link)
{
    for (const std::string& function : functions_of_sqlite()) link.execute(function);
    link.execute("CREATE SEQUENCE activity");
    link.execute(
        "CREATE TABLE commit_marks (connection bytea, number bigint,"
        " at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (connection, number))"
        " WITH (autovacuum_vacuum_scale_factor = 0.02)");
    link.execute(
        "CREATE TABLE schema_state (version bigint NOT NULL, oldest_program bigint NOT NULL)");
    link.execute("INSERT INTO schema_state VALUES (0, 0)");
}

Result<> check_empty(Link& link)
{
    const std::string tables = link.text(
        "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind IN ('r', 'p', 'v', 'm')");
    if (tables.empty())
        return refused("has no schema in which this user may create tables (search_path).");
    if (tables != "0")
        return refused(
            "holds tables of another program and was left as it is; create a database for Parley.");
    return {};
}

// Polls: a statement that waits would hold up an index that another server creates concurrently.
void take_schema_lock(Link& link)
{
    for (bool is_first = true; link.text(lock_schema) != "t"; is_first = false) {
        if (is_first) log::info("another server updates the database schema; waiting");
        link.check_patience();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

using Steps = std::vector<std::vector<std::string>>;

Steps translate_steps()
{
    Steps steps;
    SchemaDialect dialect;
    for (const std::string_view step : sql::migrations()) {
        auto& statements = steps.emplace_back(dialect.translate(step));
        const auto add = [&](std::span<const char* const> more) {
            statements.insert(statements.end(), more.begin(), more.end());
        };
        if (step == sql::schema_step_of_replicas) {
            add(replica_tables());
            add(limit_tables());
        }
        if (step == sql::schema_step_of_turns) statements.emplace_back(index_of_active_runs);
        if (step == sql::schema_step_of_search) add(search_tables);
    }
    return steps;
}

// The statements of all steps, in order.
const Steps& translated_steps()
{
    static const Steps steps = translate_steps();
    return steps;
}

void run_steps(Link& link, std::int64_t from, std::int64_t to)
{
    if (from >= to) return;
    std::int64_t number = 0;
    for (const auto& statements : translated_steps()) {
        ++number;
        if (number <= from || number > to) continue;
        link.execute("BEGIN");
        const bool is_shared = from >= sql::oldest_program;
        for (const std::string& statement : is_shared ? split_step(statements).within : statements)
            link.execute(statement);
        link.execute("UPDATE schema_state SET version = " + std::to_string(number) +
                     ", oldest_program = greatest(oldest_program, " +
                     std::to_string(sql::oldest_program) + ")");
        link.execute("COMMIT");
        log::info("database schema updated", log::kv("version", number));
    }
}

Result<> migrate_locked(Link& link)
{
    if (const auto state = read_schema_state(link)) {
        if (auto fits = check_version(*state); !fits) return fits;
    } else if (auto is_empty = check_empty(link); !is_empty) {
        return is_empty;
    }
    // Other servers may be using the tables: a step must not make them wait behind its own wait.
    link.execute("SET lock_timeout = '2s'");
    link.execute("SET statement_timeout = 0");
    constexpr int tries = 15;
    for (int tried = 1;; ++tried) {
        try {
            create_schema_up_to(link, sql::newest_version());
            return {};
        } catch (const Failure& failure) {
            const bool met_another = failure.state() == "55P03" || failure.state() == "40P01";
            if (!met_another || tried == tries) throw;
            link.execute("ROLLBACK");
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
}

}  // namespace

std::optional<SchemaState> read_schema_state(Link& link)
{
    if (link.text("SELECT to_regclass('schema_state')").empty()) return std::nullopt;
    return SchemaState{
        .version = std::stoll(link.text("SELECT version FROM schema_state")),
        .oldest_program = std::stoll(link.text("SELECT oldest_program FROM schema_state"))};
}

void create_schema_up_to(Link& link, std::int64_t version)
{
    if (!read_schema_state(link)) {
        link.execute("BEGIN");
        create_own_parts(link);
        link.execute("COMMIT");
    }
    run_steps(link, read_schema_state(link)->version, version);
}

Result<> migrate(Link& link, const std::function<void()>& has_lock)
{
    if (auto fits = check_server(link); !fits) return fits;
    // Without the lock, since another server may have it for long.
    if (const auto state = read_schema_state(link);
        state && state->version >= sql::newest_version())
        return check_version(*state);
    take_schema_lock(link);
    if (has_lock) has_lock();
    auto migrated = migrate_locked(link);
    link.execute(unlock_schema);
    return migrated;
}

std::vector<std::string> indexes_to_build(Link& link)
{
    std::vector<std::string> indexes;
    std::int64_t number = 0;
    for (const auto& statements : translated_steps()) {
        if (++number <= sql::oldest_program) continue;
        for (std::string& each : split_step(statements).indexes) indexes.push_back(std::move(each));
    }
    return missing_indexes(link, std::move(indexes));
}

std::vector<std::string> statements_of_step(std::int64_t number)
{
    return translated_steps().at(static_cast<std::size_t>(number - 1));
}

Result<> require_schema(Link& link)
{
    if (auto fits = check_server(link); !fits) return fits;
    const auto state = read_schema_state(link);
    if (!state)
        return Error{Errc::not_found,
                     "The PostgreSQL database holds no Parley data; `parley serve` creates it."};
    if (state->version < sql::newest_version())
        return refused("has the schema of an older Parley; `parley serve` updates it.");
    return check_version(*state);
}

Result<> check_use(Link& link, const SchemaState& state)
{
    if (auto fits = check_server(link); !fits) return fits;
    return check_version(state);
}

bool take_server_lock(Link& link) { return link.text(lock_server) == "t"; }
void release_server_lock(Link& link) { link.execute(unlock_server); }

}  // namespace parley::store::postgres
