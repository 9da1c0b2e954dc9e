// Options of rate limits in PostgreSQL.
#pragma once

#include "base/clock.hpp"
#include "base/secret.hpp"
#include "limits/classes.hpp"
#include "store/postgres/options.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace parley::limits::postgres {

struct Options {
    store::postgres::Options database;  // The schema is the newest one.
    Limits limits = {};
    std::shared_ptr<const Secret> hash_key;  // Keys are stored as hashes with it.
    const Clock* clock = &system_clock();    // Measures for how long a refusal is remembered.
    bool decides_by_clock = false;           // For tests: not by the time of the database.
    // For how long a refusal is repeated without asking the database, if another server may give an
    // admission back meanwhile; 0: never, also if none can.
    std::chrono::milliseconds memory{200};
    // How long a batch may take with all its tries: requests get 503 within two seconds.
    std::chrono::milliseconds patience{1400};
    std::size_t most_waiting = 8192;

    // More stamps do not fit into a row.
    static constexpr std::uint32_t max_limit = 1000;
};

}  // namespace parley::limits::postgres
