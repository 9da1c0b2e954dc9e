// The free space of the data directory's disk, and whether it is enough for anything new.
//
// Threads: any.
#pragma once

#include "base/error.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace parley::app {

// 0 if it is not known.
std::uint64_t free_bytes(const std::filesystem::path& directory);

class FreeSpace {
public:
    FreeSpace(std::filesystem::path directory, std::uint64_t min_bytes)
        : directory_(std::move(directory)), min_bytes_(min_bytes)
    {
    }

    // Fails with storage_unavailable below the minimum: then new runs and other new data are
    // refused, and the server is not ready; the remaining space is for active runs. Logs each
    // change.
    Result<> check();

private:
    const std::filesystem::path directory_;
    const std::uint64_t min_bytes_;
    std::atomic<bool> is_low_ = false;
};

}  // namespace parley::app
