// The classes of requests, and the limit of each class per key and window. A request counts
// in exactly one class, set by the route table.
#pragma once

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::limits {

// The numbers are stored.
enum class Class : std::uint8_t { chat, auth, general, hook };

inline constexpr std::array all_classes = {Class::chat, Class::auth, Class::general, Class::hook};

// The name in RateLimit, in violated-policies and in GET /v1/api/limits.
constexpr std::string_view name(Class of)
{
    switch (of) {
        case Class::chat:
            return "chat";
        case Class::auth:
            return "auth";
        case Class::hook:
            return "hook";
        case Class::general:
            break;
    }
    return "general";
}

// The settings limits.{chat,auth,auth_address,general,hook,window_s}.
struct Limits {
    std::uint32_t chat = 30;
    std::uint32_t auth = 10;
    std::optional<std::uint32_t> auth_address = {};  // The limit of one address; absent: as `auth`.
    std::uint32_t general = 100;
    std::uint32_t hook = 60;
    std::chrono::seconds window = std::chrono::seconds(60);

    // An exact limit remembers every admission of the last window, so that these cost memory.
    static constexpr std::uint32_t max_limit = 1'000'000;
    static constexpr std::chrono::seconds max_window = std::chrono::hours(24);

    // The largest number that a single user or token may have instead of the class's.
    static constexpr std::uint32_t max_own_limit = 1'000;

    constexpr std::uint32_t of(Class which) const
    {
        switch (which) {
            case Class::chat:
                return chat;
            case Class::auth:
                return auth;
            case Class::hook:
                return hook;
            case Class::general:
                break;
        }
        return general;
    }

    constexpr std::uint32_t of_address(Class which) const
    {
        return which == Class::auth ? auth_address.value_or(auth) : of(which);
    }

    // The limit of an IPv6 /48, which may belong to one customer: ten times that of an address, but
    // no more than one place in memory can hold.
    constexpr std::uint32_t of_network(Class which) const
    {
        const std::uint64_t tenfold = std::uint64_t{of_address(which)} * 10;
        return std::max(of_address(which), static_cast<std::uint32_t>(
                                               std::min<std::uint64_t>(tenfold, max_own_limit)));
    }
};

// Fails with a message that names the setting.
Result<> check(const Limits& limits);

}  // namespace parley::limits
