#include "store/sql/webhook_removal.hpp"

#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/people.hpp"
#include "store/sql/webhook_rows.hpp"
#include "store/times.hpp"

namespace parley::store::sql {
namespace {

bool has_many_deliveries(Connection& connection, std::int64_t webhook)
{
    Query select = connection.query(
        "SELECT 1 FROM deliveries INDEXED BY deliveries_of_webhook WHERE webhook = ?1"
        " LIMIT 1 OFFSET ?2");
    return select.bind(webhook, at_most(deliveries_of_a_step)).next();
}

void delete_some_deliveries(Connection& connection, std::int64_t webhook)
{
    Query rows = connection.query(
        "DELETE FROM deliveries WHERE position IN (SELECT position FROM deliveries"
        " INDEXED BY deliveries_of_webhook WHERE webhook = ?1 LIMIT ?2)");
    rows.bind(webhook, at_most(deliveries_of_a_step)).run();
}

// A disabled webhook sends and queues nothing. A request may have enabled it since the last step.
void disable(Connection& connection, KeptWebhook& kept, const WebhookRemoval& removal)
{
    Webhook& webhook = kept.webhook;
    if (webhook.state == WebhookState::disabled) return;
    webhook.state = WebhookState::disabled;
    webhook.disabled_reason = DisabledReason::user;
    webhook.updated_at = to_the_millisecond(removal.now);
    ++webhook.revision;
    update_webhook(connection, kept);
    record_events(connection, removal.owner, {removal.now, removal.cause},
                  {{{EventType::webhook_disabled, removal.id}}});
}

}  // namespace

Result<std::optional<std::int64_t>> remove_some(Connection& connection,
                                                const WebhookRemoval& removal)
{
    if (auto checked = check_caller(connection, removal.audit); !checked) return checked.error();
    connection.lock(Lock::webhook, {removal.id});
    auto found = find_webhook(connection, removal.owner, removal.id);
    if (!found) return not_found("The webhook");
    if (removal.expected && *removal.expected != found->webhook.revision)
        return webhook_was_changed();
    if (has_many_deliveries(connection, found->position)) {
        disable(connection, *found, removal);
        delete_some_deliveries(connection, found->position);
        return std::optional(found->webhook.revision);
    }
    connection.query("DELETE FROM webhooks WHERE position = ?1").bind(found->position).run();
    record_events(connection, removal.owner, {removal.now, removal.cause},
                  {{{EventType::webhook_deleted, removal.id}}});
    if (auto noted = note(connection, removal.audit); !noted) return noted.error();
    return std::optional<std::int64_t>();
}

}  // namespace parley::store::sql
