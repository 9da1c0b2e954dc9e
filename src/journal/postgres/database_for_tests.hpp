// A database for tests of the journal and the cluster: replicas and runs without sessions and
// users.
#pragma once

#include "journal/postgres/options.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace parley::journal::postgres {

class TestDatabase {
public:
    TestDatabase() { link.execute("SET session_replication_role = replica"); }  // No foreign keys.
    ~TestDatabase() { store::postgres::TestServer::instance().give_back(url); }
    TestDatabase(const TestDatabase&) = delete;
    TestDatabase& operator=(const TestDatabase&) = delete;

    store::postgres::Options options() const
    {
        return {.url = url, .patience = std::chrono::minutes(1)};
    }

    std::int64_t add_replica() { return store::postgres::add_replica(link); }
    void fence(std::int64_t replica) { store::postgres::fence_replica(link, replica); }
    // Nothing if the run is there.
    void add_run(const std::string& id, std::int64_t replica)
    {
        link.execute(
            "INSERT INTO runs (id, session, question, answer, model, status, created_ms,"
            " history_from, last_number, frames_kept, error, metadata, parameters, owner, replica)"
            " VALUES ('" +
            id + "', 0, 0, '" + id +
            "', '', 'running', 0, 0, 0, 0, '', '{}', '{}',"
            " 0, " +
            std::to_string(replica) + ") ON CONFLICT DO NOTHING");
    }
    void give_run(const std::string& id, std::int64_t replica)
    {
        link.execute("UPDATE runs SET replica = " + std::to_string(replica) + " WHERE id = '" + id +
                     "'");
    }
    // As the store does when it stores the end of a run.
    void finish_run(const std::string& id)
    {
        link.execute("WITH ended AS (DELETE FROM runs WHERE id = '" + id +
                     "' RETURNING position)"
                     " DELETE FROM run_events WHERE run IN (SELECT position FROM ended)");
    }

    const std::string url = store::postgres::TestServer::instance().take_tables();
    store::postgres::Link link{{.url = url}, [] { return false; }};
};

// Machines that run tests may be slow: their reads have time.
inline Options options_of(const TestDatabase& database, std::function<std::int64_t()> me)
{
    return {
        .database = database.options(), .me = std::move(me), .patience = std::chrono::minutes(1)};
}

class NeedsPostgres final : public testing::Environment {
public:
    void SetUp() override
    {
        if (!store::postgres::TestServer::instance().is_there())
            GTEST_SKIP() << "PostgreSQL is not installed and cannot be installed here "
                            "(tools/postgres): nothing of this room was tested.";
    }
};

}  // namespace parley::journal::postgres
