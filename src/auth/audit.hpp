// Records actions on users and tokens, with actor and origin. Contains no secrets.
#pragma once

#include "base/clock.hpp"
#include "base/id.hpp"
#include "store/audit.hpp"

#include <string>

namespace parley::auth {

// The address and the id of a request, and the token it came with.
struct Origin {
    std::string address;
    std::string request_id;
    store::CallersToken token = {};
};

// An event that is stored together with the change that it reports, unless the caller's token has
// ended meanwhile.
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
            .request_id = origin.request_id,
            .by = origin.token};
}

}  // namespace parley::auth
