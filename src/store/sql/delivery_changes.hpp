// The use cases of deliveries that change something, inside a transaction.
#pragma once

#include "store/deliveries.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

Result<Delivery> with_attempts(Connection& connection, std::int64_t webhook, const std::string& id);

Result<bool> dispatch_all(Connection& connection, const Dispatch& dispatch);
Result<Delivery> add_one(Connection& connection, const Owner& owner, const Delivery& delivery);
Result<std::optional<Webhook>> settle_one(Connection& connection, const DeliveryEnd& end);
Result<bool> has_to_give_up(Connection& connection, const std::string& webhook);
Result<bool> give_up_some(Connection& connection, const std::string& webhook, TimePoint now);
Result<Delivery> redeliver_one(Connection& connection, const Owner& owner,
                               const std::string& webhook, const std::string& id);
Result<Replayed> replay_some(Connection& connection, const Replay& replay);

}  // namespace parley::store::sql
