// Who changes something: for the event log and the audit log.
#pragma once

#include "auth/audit.hpp"
#include "domain/event.hpp"

#include <string>

namespace parley::auth {

struct Actor {
    std::string name = {};
    Origin origin = {};

    Cause cause() const { return {.request = origin.request_id}; }
};

}  // namespace parley::auth
