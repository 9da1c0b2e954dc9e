// When a delivery is tried again: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h
// after one another. Never early, at most a tenth late.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace parley::webhook {

inline constexpr std::size_t most_tries = 10;

// How long to wait after that many tries have failed; nothing if they are spent. A Retry-After of
// the receiver counts if it is longer, up to a day. `spread`, from 0 to 1, is drawn by the caller:
// it keeps deliveries that failed together from coming back together.
std::optional<std::chrono::milliseconds> wait_before_next_try(
    std::size_t failed_tries, std::optional<std::chrono::seconds> retry_after, double spread);

}  // namespace parley::webhook
