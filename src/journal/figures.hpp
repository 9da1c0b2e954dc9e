// Measurements of a journal.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace parley::journal {

// How long writes took, in the shape of a Prometheus histogram.
struct Durations {
    static constexpr std::array<std::chrono::microseconds, 11> bounds{
        {std::chrono::microseconds(10), std::chrono::microseconds(25),
         std::chrono::microseconds(50), std::chrono::microseconds(100),
         std::chrono::microseconds(250), std::chrono::microseconds(500),
         std::chrono::milliseconds(1), std::chrono::microseconds(2500),
         std::chrono::milliseconds(10), std::chrono::milliseconds(100), std::chrono::seconds(1)}};

    void add(std::chrono::nanoseconds duration);

    std::array<std::uint64_t, bounds.size() + 1> counts{};  // The last one is for all longer ones.
    std::chrono::nanoseconds sum{0};
    std::chrono::nanoseconds max{0};
};

struct Figures {
    // Now.
    std::uint64_t bytes_on_disk = 0;
    std::uint64_t segments = 0;
    std::uint64_t runs = 0;
    std::uint64_t queued_appends = 0;
    std::uint64_t queued_bytes = 0;
    // Since the start.
    std::uint64_t records = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t batches = 0;
    std::uint64_t failed_batches = 0;
    Durations writes;
};

}  // namespace parley::journal
