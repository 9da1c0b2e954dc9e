// The memory that is still available to this process: that of the machine, or less if a container
// sets a limit.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <filesystem>

namespace parley {

// Bytes; 0 if unknown. `root` is the folder of /proc and /sys, for tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace parley
