// The limits of a journal in files.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::journal::file {

struct Options {
    std::uint64_t segment_size = std::uint64_t{16} * 1024 * 1024;  // At most 1 GiB.
    std::size_t max_frame = std::size_t{1024 + 64} * 1024;         // At most 4 MiB.
    std::size_t max_append = std::size_t{4} * 1024 * 1024;   // Bytes of all frames of one call.
    std::size_t max_queued = std::size_t{64} * 1024 * 1024;  // Bytes that wait to be written.
    std::size_t max_reads = 1024;                            // Reads that wait or are in progress.
    const Clock* clock = &system_clock();
};

}  // namespace parley::journal::file
