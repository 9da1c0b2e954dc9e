// How much memory this process could still take: what the machine has left, or less where a
// container sets a limit.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <filesystem>

namespace parley {

// Bytes; 0 where the system does not tell. `root` is where /proc and /sys are, for tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace parley
