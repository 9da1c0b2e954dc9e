// The free space of the data directory's disk, and whether it is enough for anything new.
//
// Threads: any.
#pragma once

#include "base/error.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace parley::app {

// 0 where it is not known.
std::uint64_t free_bytes(const std::filesystem::path& directory);

class FreeSpace {
public:
    FreeSpace(std::filesystem::path directory, std::int64_t min_mib)
        : directory_(std::move(directory)), min_mib_(static_cast<std::uint64_t>(min_mib))
    {
    }

    // Fails with storage_unavailable below the minimum: no new run is begun then, users store
    // nothing new, and the server is not ready, while runs that go on have what is left. Logs when
    // that changes.
    Result<> check();

private:
    const std::filesystem::path directory_;
    const std::uint64_t min_mib_;
    std::atomic<bool> is_low_ = false;
};

}  // namespace parley::app
