// A change that needs no other row.
#pragma once

#include "store/audit.hpp"

#include <chrono>
#include <string>

namespace parley::store::postgres {

inline AuditEvent event(const std::string& id)
{
    return {.id = id,
            .at = TimePoint(std::chrono::seconds(1)),
            .actor = "a",
            .action = "b",
            .target = "c",
            .address = "d",
            .request_id = "e"};
}

}  // namespace parley::store::postgres
