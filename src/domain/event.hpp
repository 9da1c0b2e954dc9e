// Types of events in the event log, and their causes.
#pragma once

#include "fields/fields.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace parley {

// The values are stored: new types are added at the end.
enum class EventType : std::uint8_t {
    session_created,
    session_updated,
    session_deleted,
    run_created,
    run_completed,
    run_failed,
    run_cancelled,
    run_interrupted,
    token_created,
    token_revoked,
    login_created,
    login_ended,
};

constexpr auto names_of(EventType)
{
    using fields::Named;
    return std::array{Named{EventType::session_created, "chat.session.created"},
                      Named{EventType::session_updated, "chat.session.updated"},
                      Named{EventType::session_deleted, "chat.session.deleted"},
                      Named{EventType::run_created, "chat.run.created"},
                      Named{EventType::run_completed, "chat.run.completed"},
                      Named{EventType::run_failed, "chat.run.failed"},
                      Named{EventType::run_cancelled, "chat.run.cancelled"},
                      Named{EventType::run_interrupted, "chat.run.interrupted"},
                      Named{EventType::token_created, "token.created"},
                      Named{EventType::token_revoked, "token.revoked"},
                      Named{EventType::login_created, "login.created"},
                      Named{EventType::login_ended, "login.ended"}};
}

// A set of types, one bit for each.
class EventTypes {
public:
    constexpr EventTypes() = default;

    static constexpr EventTypes all()
    {
        EventTypes types;
        for (const auto& each : names_of(EventType{})) types.add(each.value);
        return types;
    }

    constexpr void add(EventType type) { bits_ |= bit(type); }
    constexpr bool has(EventType type) const { return (bits_ & bit(type)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr EventTypes both(EventTypes other) const
    {
        EventTypes types;
        types.bits_ = bits_ & other.bits_;
        return types;
    }
    constexpr std::int64_t bits() const { return bits_; }

    constexpr bool operator==(const EventTypes&) const = default;

private:
    static constexpr std::int64_t bit(EventType type)
    {
        return std::int64_t{1} << static_cast<int>(type);
    }

    std::int64_t bits_ = 0;
};

// Why something happened.
struct Cause {
    std::string request = {};  // req_… of the request that asked for it; empty: none did.

    bool operator==(const Cause&) const = default;
};

}  // namespace parley
