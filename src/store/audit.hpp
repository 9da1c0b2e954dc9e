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

struct AuditEvent {
    std::string id;  // evt_…
    TimePoint at;    // Kept to the millisecond.
    std::string actor;
    std::string action;
    std::string target;
    std::string address;
    std::string request_id;

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
