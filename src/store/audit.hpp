// The audit log: actions with actor, target and origin. It is appended to and read, never changed.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "store/page.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace parley::store {

// The token of the request that makes a change. A change that is stored with such an event fails
// with invalid_token if the token was revoked after the request was let in, or its user was
// disabled or removed, and with insufficient_scope if its user is no operator any more. Otherwise
// a withdrawn token could leave another one behind.
struct CallersToken {
    std::string id = {};  // tok_…; empty if there is none, e.g. for the command line.
    bool acts_as_operator = false;

    bool operator==(const CallersToken&) const = default;
};

struct AuditEvent {
    std::string id;  // evt_…
    TimePoint at;    // Kept to the millisecond.
    std::string actor;
    std::string action;
    std::string target;
    std::string address;
    std::string request_id;
    CallersToken by = {};  // Checked, not stored.

    bool operator==(const AuditEvent&) const = default;
};

// A filter of events; absent members match all.
struct AuditFilter {
    std::optional<std::string> actor = {};
    std::optional<std::string> action = {};
    std::optional<std::string> target = {};
    std::optional<TimePoint> since = {};   // At this time or later.
    std::optional<TimePoint> before = {};  // Earlier than this time.
};

class AuditLog {
public:
    virtual ~AuditLog() = default;

    // Fails with conflict if an event has this id already.
    virtual Task<Result<>> append(AuditEvent event) = 0;

    // Fails with not_found.
    virtual Task<Result<AuditEvent>> find(std::string id) = 0;

    // Newest first; only those before `before`, if given.
    using Position = std::int64_t;
    virtual Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before,
                                                          std::size_t limit,
                                                          AuditFilter filter = {}) = 0;
};

}  // namespace parley::store
