// Rows of deliveries and their attempts.
#pragma once

#include "store/deliveries.hpp"
#include "store/sql/connection.hpp"

#define DELIVERY_COLUMNS                                                               \
    "deliveries.position, deliveries.id, webhooks.id AS webhook_id, deliveries.event," \
    " deliveries.event_type, deliveries.number, deliveries.body, deliveries.subject,"  \
    " deliveries.parent, deliveries.status, deliveries.tries, deliveries.due_ms,"      \
    " deliveries.created_ms"
#define JOIN_WEBHOOK " CROSS JOIN webhooks ON webhooks.position = deliveries.webhook"

namespace parley::store::sql {

struct KeptDelivery {
    std::int64_t position = 0;
    Delivery delivery = {};
};
// The row must have DELIVERY_COLUMNS. The attempts are not read.
KeptDelivery delivery_of(const Query& row);
std::optional<KeptDelivery> find_delivery(Connection& connection, std::int64_t webhook,
                                          const std::string& id);

// Pending, due at once. False if the event has a delivery already.
bool insert_delivery(Connection& connection, std::int64_t webhook, const Delivery& delivery);

// Pending, due at once, with all its tries.
void queue_again(Connection& connection, std::int64_t position);

std::vector<DeliveryAttempt> attempts_of_delivery(Connection& connection, std::int64_t position);
void add_attempt(Connection& connection, std::int64_t position, const DeliveryAttempt& attempt);

}  // namespace parley::store::sql
