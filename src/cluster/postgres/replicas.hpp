// The servers of a database, for people.
#pragma once

#include "base/error.hpp"
#include "store/postgres/options.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::cluster::postgres {

struct Replica {
    std::int64_t incarnation = 0;
    std::string name = {};
    std::string version = {};
    std::string settings = {};  // As Options::settings, with which it joined.
    std::chrono::milliseconds beat_age{0};
    std::int64_t running = 0;
    bool draining = false;
    bool fenced = false;  // Those of the last hour.
};

// The oldest first. Fails with storage_unavailable and a message for the operator; with not_found
// if the database has no tables of this version.
Result<std::vector<Replica>> list_replicas(const store::postgres::Options& options);

// Facts about the database that concern all servers together.
struct Room {
    std::int64_t connections = 0;               // That PostgreSQL accepts from this user.
    std::chrono::milliseconds clock_offset{0};  // The database's clock, against this machine's.
};
Result<Room> measure_room(const store::postgres::Options& options);

}  // namespace parley::cluster::postgres
