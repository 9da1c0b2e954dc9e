// Rows of webhooks, as several use cases read and write them.
#pragma once

#include "store/sql/connection.hpp"
#include "store/webhooks.hpp"

#define WEBHOOK_COLUMNS                                                           \
    "webhooks.position, webhooks.id, webhooks.user AS of_user, webhooks.test,"    \
    " webhooks.url, webhooks.event_types, webhooks.scopes, webhooks.payload,"     \
    " webhooks.ordered, webhooks.description, webhooks.metadata, webhooks.state," \
    " webhooks.disabled_reason, webhooks.secret, webhooks.secret_hint,"           \
    " webhooks.old_secrets, webhooks.old_secret, webhooks.old_until_ms,"          \
    " webhooks.created_ms,"                                                       \
    " webhooks.updated_ms, webhooks.revision, webhooks.event_cursor,"             \
    " webhooks.last_success_ms, webhooks.last_failure_ms, webhooks.failing_since_ms"

namespace parley::store::sql {

struct KeptWebhook {
    std::int64_t position = 0;
    Webhook webhook = {};
};
// The row must have WEBHOOK_COLUMNS.
KeptWebhook webhook_of(const Query& row);
std::optional<KeptWebhook> find_webhook(Connection& connection, const std::string& id);
std::optional<KeptWebhook> find_webhook(Connection& connection, const Owner& owner,
                                        const std::string& id);

// Everything but its id and owner.
void update_webhook(Connection& connection, const KeptWebhook& kept);

// A webhook may have millions of deliveries. They are given up or deleted some at a time, each step
// in a transaction of its own, so that other changes do not wait for all of them.
inline constexpr std::size_t deliveries_of_a_step = 500;

// Its pending deliveries fail, those of a step at most: nothing is queued for a disabled endpoint.
// True if others may be pending still.
bool give_up_deliveries(Connection& connection, std::int64_t webhook, TimePoint now);

}  // namespace parley::store::sql
