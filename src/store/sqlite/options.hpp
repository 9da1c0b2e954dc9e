// Options of a SQLite store, and its callbacks.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>

namespace parley::store::sqlite {

struct Options {
    std::filesystem::path file;
    // Threads, each with a connection of its own; 0: chosen by the number of cores.
    std::size_t readers = 0;
    std::size_t most_waiting = 8192;  // Writes, and as many reads.
    const char* vfs = nullptr;        // SQLite's own, or one that simulates faults.

    // Called by the writer's thread.
    std::function<void(std::size_t jobs, std::chrono::nanoseconds took)> on_commit = {};
    std::function<void(std::chrono::nanoseconds took)> on_checkpoint = {};
};

}  // namespace parley::store::sqlite
