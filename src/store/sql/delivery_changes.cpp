#include "store/sql/delivery_changes.hpp"

#include "fields/write.hpp"
#include "store/refusals.hpp"
#include "store/sql/delivery_rows.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/people.hpp"
#include "store/sql/test_clocks.hpp"
#include "store/sql/webhook_rows.hpp"
#include "store/times.hpp"

namespace parley::store::sql {
namespace {

// One of the owner's that is active.
Result<KeptWebhook> require_active(Connection& connection, const Owner& owner,
                                   const std::string& id)
{
    connection.lock(Lock::webhook, {id});
    auto found = find_webhook(connection, owner, id);
    if (!found) return not_found("The webhook");
    if (found->webhook.state != WebhookState::active) return webhook_is_disabled();
    return std::move(*found);
}

// Nothing if there is no further attempt. The clock is that of this moment: the owner may have set
// or left it during the attempt.
std::optional<TimePoint> next_attempt(Connection& connection, const Owner& owner,
                                      const DeliveryEnd& end, TimePoint ended_at)
{
    if (end.succeeded || !end.wait) return std::nullopt;
    return test_time(connection, owner).value_or(ended_at) + *end.wait;
}

void settle_delivery(Connection& connection, const KeptDelivery& kept, const DeliveryEnd& end,
                     TimePoint ended_at, const std::optional<TimePoint>& next)
{
    const bool was_pending = kept.delivery.status == DeliveryStatus::pending;
    if (!end.succeeded && !was_pending) return;  // It was given up meanwhile.
    const bool is_queued_again = end.tries && *end.tries != kept.delivery.tries;
    if (!end.succeeded && is_queued_again) return;
    DeliveryStatus status = DeliveryStatus::succeeded;
    if (!end.succeeded) status = next ? DeliveryStatus::pending : DeliveryStatus::failed;
    const bool goes_on = status == DeliveryStatus::pending;
    std::optional<TimePoint> ended;
    if (!goes_on) ended = ended_at;
    Query update = connection.query(
        "UPDATE deliveries SET status = ?2, tries = ?3, due_ms = ?4, ended_ms = ?5"
        " WHERE position = ?1");
    update.bind(kept.position, fields::name_of(status),
                kept.delivery.tries + (end.succeeded ? 0 : 1), next, ended);
    update.run();
}

// Whether an attempt that failed disables the endpoint, and why.
std::optional<DisabledReason> reason_to_disable(const Webhook& webhook, const DeliveryEnd& end)
{
    if (end.succeeded || webhook.state != WebhookState::active) return std::nullopt;
    if (end.disables) return end.disables;
    if (end.patience && webhook.failing_since &&
        end.attempt.at - *webhook.failing_since >= *end.patience)
        return DisabledReason::failures;
    return std::nullopt;
}

struct AgainColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::int64_t> number{*in, "number"};
};

}  // namespace

Result<Delivery> with_attempts(Connection& connection, std::int64_t webhook, const std::string& id)
{
    auto found = find_delivery(connection, webhook, id);
    if (!found) return not_found("The delivery");
    found->delivery.attempts = attempts_of_delivery(connection, found->position);
    return std::move(found->delivery);
}

Result<bool> dispatch_all(Connection& connection, const Dispatch& dispatch)
{
    connection.lock(Lock::webhook, {dispatch.webhook});
    const auto found = find_webhook(connection, dispatch.webhook);
    if (!found || found->webhook.state != WebhookState::active ||
        found->webhook.revision != dispatch.revision || found->webhook.cursor != dispatch.seen)
        return false;
    for (const Delivery& each : dispatch.deliveries)
        insert_delivery(connection, found->position, each);
    Query update = connection.query("UPDATE webhooks SET event_cursor = ?2 WHERE position = ?1");
    update.bind(found->position, dispatch.new_cursor).run();
    return true;
}

Result<Delivery> add_one(Connection& connection, const Owner& owner, const Delivery& delivery)
{
    const auto webhook = require_active(connection, owner, delivery.webhook);
    if (!webhook) return webhook.error();
    if (!insert_delivery(connection, webhook->position, delivery)) return new_id_is_there();
    return with_attempts(connection, webhook->position, delivery.id);
}

Result<std::optional<Webhook>> settle_one(Connection& connection, const DeliveryEnd& end)
{
    // Owners do not change: it is read once to know whose clock counts, and again under its lock.
    auto found = find_webhook(connection, end.webhook);
    if (found && found->webhook.owner.test)
        connection.lock(Lock::test_clock, {found->webhook.owner.user});
    connection.lock(Lock::webhook, {end.webhook});
    found = find_webhook(connection, end.webhook);
    if (!found) return std::optional<Webhook>();
    const auto kept = find_delivery(connection, found->position, end.delivery);
    if (!kept) return std::optional<Webhook>();
    Webhook& webhook = found->webhook;
    const TimePoint ended_at = to_the_millisecond(end.attempt.at + end.attempt.duration);
    add_attempt(connection, kept->position, end.attempt);
    settle_delivery(connection, *kept, end, ended_at,
                    next_attempt(connection, webhook.owner, end, ended_at));
    if (end.url && *end.url != webhook.url) return std::optional(webhook);
    if (end.succeeded) {
        webhook.last_success_at = end.attempt.at;
        webhook.failing_since.reset();
    } else {
        webhook.last_failure_at = end.attempt.at;
        if (!webhook.failing_since) webhook.failing_since = end.attempt.at;
    }
    const auto reason = reason_to_disable(webhook, end);
    if (reason) {
        webhook.state = WebhookState::disabled;
        webhook.disabled_reason = reason;
        webhook.updated_at = ended_at;
        ++webhook.revision;
    }
    update_webhook(connection, *found);
    if (reason) {
        give_up_deliveries(connection, found->position, ended_at);
        record_events(connection, webhook.owner, {ended_at, {}},
                      {{{EventType::webhook_disabled, webhook.id}}});
    }
    return std::optional(webhook);
}

Result<bool> has_to_give_up(Connection& connection, const std::string& webhook)
{
    Query select = connection.query(
        "SELECT 1 FROM webhooks CROSS JOIN deliveries INDEXED BY pending_deliveries"
        " ON deliveries.webhook = webhooks.position WHERE webhooks.id = ?1"
        " AND webhooks.state = 'disabled' AND deliveries.status = 'pending' LIMIT 1");
    return select.bind(webhook).next();
}

Result<bool> give_up_some(Connection& connection, const std::string& webhook, TimePoint now)
{
    connection.lock(Lock::webhook, {webhook});
    const auto found = find_webhook(connection, webhook);
    if (!found || found->webhook.state == WebhookState::active) return false;
    return give_up_deliveries(connection, found->position, now);
}

Result<Delivery> redeliver_one(Connection& connection, const Owner& owner,
                               const std::string& webhook, const std::string& id)
{
    const auto found = require_active(connection, owner, webhook);
    if (!found) return found.error();
    const auto kept = find_delivery(connection, found->position, id);
    if (!kept) return not_found("The delivery");
    queue_again(connection, kept->position);
    return with_attempts(connection, found->position, id);
}

Result<Replayed> replay_some(Connection& connection, const Replay& replay)
{
    const auto found = require_active(connection, replay.owner, replay.webhook);
    if (!found) return found.error();
    Replayed replayed{.count = 0, .until = replay.until};
    std::vector<std::int64_t> again;
    {
        Query select = connection.query(
            "SELECT position, number FROM deliveries INDEXED BY deliveries_by_number"
            " WHERE webhook = ?1 AND number > ?2 AND number <= ?3"
            " AND (status = 'failed' OR (status = 'succeeded' AND ?4 = 0))"
            " ORDER BY number LIMIT ?5");
        select.bind(found->position, replay.after, replay.until, replay.only_failed,
                    at_most(replay.most + 1));
        while (select.next()) {
            const auto& at = select.columns<AgainColumns>();
            if (again.size() == replay.most) {
                replayed.until = select[at.number] - 1;
                break;
            }
            again.push_back(select[at.position]);
        }
    }
    for (const std::int64_t position : again) queue_again(connection, position);
    replayed.count = again.size();
    for (const Delivery& each : replay.deliveries)
        if (each.number <= replayed.until && insert_delivery(connection, found->position, each))
            ++replayed.count;
    return replayed;
}

}  // namespace parley::store::sql
