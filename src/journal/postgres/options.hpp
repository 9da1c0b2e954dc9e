// Options of a journal in PostgreSQL.
#pragma once

#include "store/postgres/options.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace parley::journal::postgres {

struct Options {
    store::postgres::Options database;  // The schema is the newest one.
    // The incarnation of this server (cluster/cluster.hpp).
    std::function<std::int64_t()> me;
    std::chrono::milliseconds patience{2000};  // For a read.
    std::size_t max_frame = std::size_t{16} << 20U;
    std::size_t max_append = std::size_t{32} << 20U;
    std::size_t max_waiting_bytes = std::size_t{64} << 20U;
    std::size_t max_reads = 1024;
};

}  // namespace parley::journal::postgres
