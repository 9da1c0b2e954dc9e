// Removal of webhooks. One with many deliveries is disabled first. Its deliveries are deleted some
// at a time, in transactions of their own, and the webhook goes with the last of them.
#pragma once

#include "store/sql/connection.hpp"
#include "store/webhooks.hpp"

#include <optional>
#include <string>

namespace parley::store::sql {

// As Webhooks::remove().
struct WebhookRemoval {
    Owner owner = {};
    std::string id = {};
    std::optional<std::int64_t> expected = {};
    TimePoint now = {};
    Cause cause = {};
    std::optional<AuditEvent> audit = {};
};

// One step, which finds the webhook as others may have changed it since the last one. Gives the
// revision of the webhook while it is there; nothing once it is removed.
Result<std::optional<std::int64_t>> remove_some(Connection& connection,
                                                const WebhookRemoval& removal);

}  // namespace parley::store::sql
