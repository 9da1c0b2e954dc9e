// Limits that an operator sets for one user, or a user for one token: requests per window, instead
// of the server's numbers. Absent: the server's number, or for a token its user's.
#pragma once

#include <cstdint>
#include <optional>

namespace parley {

struct OwnLimits {
    std::optional<std::uint32_t> chat = {};
    std::optional<std::uint32_t> general = {};
    std::optional<std::uint32_t> automation = {};  // Starts of runs by automations.

    friend bool operator==(const OwnLimits&, const OwnLimits&) = default;
};

inline constexpr std::uint32_t most_own_limit = 1'000;

}  // namespace parley
