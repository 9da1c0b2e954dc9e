// A change of the limits of a user or a token: each number stays, is set or is cleared.
#pragma once

#include "domain/own_limits.hpp"

#include <cstdint>
#include <optional>

namespace parley {

struct LimitsChange {
    using Number = std::optional<std::uint32_t>;

    std::optional<Number> chat = {};
    std::optional<Number> general = {};
    std::optional<Number> automation = {};

    bool empty() const { return !chat && !general && !automation; }
    OwnLimits applied_to(const OwnLimits& limits) const
    {
        return {chat.value_or(limits.chat), general.value_or(limits.general),
                automation.value_or(limits.automation)};
    }
};

}  // namespace parley
