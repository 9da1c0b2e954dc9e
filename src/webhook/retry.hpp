// When a delivery is tried again: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h
// after one another. Never early, at most a tenth late.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace parley::webhook {

inline constexpr std::size_t most_tries = 10;

// How long to wait after that many failed attempts; nothing if there are no more attempts. A
// Retry-After of the receiver counts if it is longer, up to a day. `spread` is a random number from
// 0 to 1: it spreads the retries of deliveries that failed together.
std::optional<std::chrono::milliseconds> wait_before_next_try(
    std::size_t failed_tries, std::optional<std::chrono::seconds> retry_after, double spread);

}  // namespace parley::webhook
