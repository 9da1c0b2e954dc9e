// The limits of automations.
#pragma once

#include "base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::automation {

struct Options {
    std::size_t max_per_user = 100;
    std::size_t max_concurrent = 0;       // 0: half of the runs that the server allows at once.
    std::int64_t starts_per_minute = 30;  // For each user.
    std::chrono::days rows_keep{90};
    // Another server that shares the store may die before it starts what it has entered: then this
    // one finds it at its next look.
    std::chrono::seconds time_between_looks{60};
    std::string public_url = {};  // URLs of hooks begin with it; empty: they are paths.
    // Replaced secrets of hooks end by it. Null: by the clock of everything else.
    const Clock* expiry = nullptr;
};

}  // namespace parley::automation
