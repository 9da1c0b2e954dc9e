// Creates and updates the schema (store/sql/schema.hpp) in a PostgreSQL database. Several servers
// may start at once: one of them migrates, the others wait.
#pragma once

#include "store/postgres/link.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::store::postgres {

struct SchemaState {
    std::int64_t version = 0;
    std::int64_t oldest_program = 0;  // The oldest version whose programs can use this database.

    bool operator==(const SchemaState&) const = default;
};

// Nothing in a database without Parley's tables.
std::optional<SchemaState> read_schema_state(Link& link);

// Runs the steps up to this version, and creates the other tables before the first one. For
// migrate() and tests.
void create_schema_up_to(Link& link, std::int64_t version);

// Creates or updates the schema. Refuses a server that is too old, a connection pooler, tables of
// another program, and a schema that is too new for this program; changes nothing then. Calls
// `has_lock` when it waits for no other server any more. Throws Failure.
Result<> migrate(Link& link, const std::function<void()>& has_lock = {});

// What migrate() has left for the time after it, because it may take long: see index_builds.hpp.
// Throws Failure.
std::vector<std::string> indexes_to_build(Link& link);

// For tests: what a step does, by its number from 1 on.
std::vector<std::string> statements_of_step(std::int64_t number);

// The same for a program that must find the newest schema, or one that is still newer.
Result<> require_schema(Link& link);

// Whether this program can use a database of this schema, through this connection.
Result<> check_use(Link& link, const SchemaState& state);

// A server of an earlier version would resume the runs of all servers, and so holds this lock
// alone; the others share it. False if such a server uses the database. Released when the
// connection ends.
bool take_server_lock(Link& link);
void release_server_lock(Link& link);

}  // namespace parley::store::postgres
