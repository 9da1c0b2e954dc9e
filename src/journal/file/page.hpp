// Reads a run's events back from the segments.
//
// Threads: blocks in pread(2); not to be called on an event loop.
#pragma once

#include "base/error.hpp"
#include "journal/file/index.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace parley::journal::file {

// At least one record, if there is a location, and no more than fit into `max_bytes`.
Result<std::vector<Record>> read_page(const RunName& run, std::span<const Index::Location> places,
                                      std::size_t max_bytes);

}  // namespace parley::journal::file
