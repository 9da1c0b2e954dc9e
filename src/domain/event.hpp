// Types of events in the event log, and their causes.
#pragma once

#include "fields/fields.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

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
    automation_created,
    automation_updated,
    automation_paused,
    automation_resumed,
    automation_deleted,
    automation_run_queued,
    automation_run_completed,
    automation_run_failed,
    automation_run_cancelled,
    automation_run_skipped,
    automation_run_missed,
    webhook_created,
    webhook_updated,
    webhook_disabled,
    webhook_deleted,
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
                      Named{EventType::login_ended, "login.ended"},
                      Named{EventType::automation_created, "automation.created"},
                      Named{EventType::automation_updated, "automation.updated"},
                      Named{EventType::automation_paused, "automation.paused"},
                      Named{EventType::automation_resumed, "automation.resumed"},
                      Named{EventType::automation_deleted, "automation.deleted"},
                      Named{EventType::automation_run_queued, "automation.run.queued"},
                      Named{EventType::automation_run_completed, "automation.run.completed"},
                      Named{EventType::automation_run_failed, "automation.run.failed"},
                      Named{EventType::automation_run_cancelled, "automation.run.cancelled"},
                      Named{EventType::automation_run_skipped, "automation.run.skipped"},
                      Named{EventType::automation_run_missed, "automation.run.missed"},
                      Named{EventType::webhook_created, "webhook.created"},
                      Named{EventType::webhook_updated, "webhook.updated"},
                      Named{EventType::webhook_disabled, "webhook.disabled"},
                      Named{EventType::webhook_deleted, "webhook.deleted"}};
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
    constexpr void add(EventTypes types) { bits_ |= types.bits_; }
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

// The types that "chat.run.completed" or "chat.run.*" names; empty if it names none.
constexpr EventTypes types_named(std::string_view name)
{
    const bool is_family = name.ends_with(".*") && name.size() > 2;
    if (is_family) name.remove_suffix(1);
    EventTypes types;
    for (const auto& each : names_of(EventType{}))
        if (is_family ? each.name.starts_with(name) : each.name == name) types.add(each.value);
    return types;
}

// Why something happened.
struct Cause {
    std::string request = {};         // req_… of the request that asked for it; empty: none did.
    std::string automation = {};      // aut_… that did it; empty: none did.
    std::string automation_run = {};  // aru_… of that automation.
    std::int64_t depth = 0;           // How many automations have led to it, one after the other.

    bool operator==(const Cause&) const = default;
};

}  // namespace parley
