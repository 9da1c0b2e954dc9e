// Writes down who did what to users and tokens, and from where. Nothing that is written is a
// secret.
#pragma once

#include "base/clock.hpp"
#include "base/id.hpp"
#include "store/audit.hpp"

#include <string>

namespace parley::auth {

// Where a request comes from.
struct Origin {
    std::string address;
    std::string request_id;
};

// An event for the store to keep, together with what it tells of.
inline store::AuditEvent audit_event(const Clock& clock, std::string actor, std::string action,
                                     std::string target, const Origin& origin)
{
    const TimePoint now = std::chrono::floor<std::chrono::milliseconds>(clock.now());
    return {.id = new_id("evt", now),
            .at = now,
            .actor = std::move(actor),
            .action = std::move(action),
            .target = std::move(target),
            .address = origin.address,
            .request_id = origin.request_id};
}

}  // namespace parley::auth
