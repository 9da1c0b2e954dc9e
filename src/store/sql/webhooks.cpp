#include "store/sql/webhooks.hpp"

#include "fields/write.hpp"
#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/old_secrets.hpp"
#include "store/sql/people.hpp"
#include "store/sql/webhook_removal.hpp"
#include "store/sql/webhook_rows.hpp"
#include "store/times.hpp"

namespace parley::store::sql {
namespace {

std::int64_t count_of(Connection& connection, const Owner& owner)
{
    Query select = connection.query(
        "SELECT count(*) FROM webhooks INDEXED BY webhooks_of_user"
        " WHERE webhooks.user = ?1 AND test = ?2");
    select.bind(owner.user, owner.test).next();
    return select.only<std::int64_t>();
}

std::optional<std::int64_t> insert_webhook(Connection& connection, const Webhook& made)
{
    Query insert = connection.query(
        "INSERT INTO webhooks (id, \"user\", test, url, event_types, scopes, payload, ordered,"
        " description, metadata, state, secret, secret_hint, created_ms, updated_ms, revision,"
        " event_cursor) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'active', ?11, ?12, ?13,"
        " ?13, 1, 0) ON CONFLICT DO NOTHING");
    insert.bind(made.id, made.owner.user, made.owner.test, made.url, made.event_types,
                static_cast<std::int64_t>(made.scopes), fields::name_of(made.payload), made.ordered,
                made.description, made.metadata, Blob{made.secret.sealed}, made.secret.hint,
                made.created_at);
    return insert.insert();
}

// The number of the newest event of the owner.
std::int64_t newest_event(Connection& connection, const Owner& owner)
{
    const auto log = owner_number(connection, owner);
    Query select = connection.query("SELECT last_number FROM event_heads WHERE owner = ?1");
    if (!select.bind(log).next()) return 0;
    return select.only<std::int64_t>();
}

// The events of a change are in the log already: it hears those after them.
void move_to_newest_event(Connection& connection, KeptWebhook& kept)
{
    kept.webhook.cursor = newest_event(connection, kept.webhook.owner);
    Query update = connection.query("UPDATE webhooks SET event_cursor = ?2 WHERE position = ?1");
    update.bind(kept.position, kept.webhook.cursor).run();
}

Result<std::optional<Webhook>> webhook_of_key(Connection& connection, const Owner& owner,
                                              const KeyClaim& key)
{
    const auto before = made_before(connection, owner, key, Keyed::webhook);
    if (!before) return before.error();
    if (!*before) return std::optional<Webhook>();
    auto found = find_webhook(connection, owner, **before);
    if (!found) return not_found("The webhook");
    return std::optional(std::move(found->webhook));
}

Result<Webhooks::Created> create_new(Connection& connection, const Webhook& wanted,
                                     std::size_t most, const std::optional<KeyClaim>& key,
                                     const Cause& cause)
{
    if (key) {
        lock_key(connection, wanted.owner, *key);
        auto before = webhook_of_key(connection, wanted.owner, *key);
        if (!before) return before.error();
        if (*before) return Webhooks::Created{std::move(**before), true};
    }
    connection.lock(Lock::user, {wanted.owner.user});
    if (!find_user(connection, wanted.owner.user)) return not_found("The user");
    if (count_of(connection, wanted.owner) >= static_cast<std::int64_t>(most))
        return too_many_webhooks(most);
    const auto position = insert_webhook(connection, wanted);
    if (!position) return new_id_is_there();
    if (key) bind_key(connection, wanted.owner, *key, Keyed::webhook, wanted.id);
    record_events(connection, wanted.owner, {wanted.created_at, cause},
                  {{{EventType::webhook_created, wanted.id}}});
    KeptWebhook made{*position, wanted};
    move_to_newest_event(connection, made);
    return Webhooks::Created{std::move(made.webhook), false};
}

Result<Webhook> require_webhook(Connection& connection, const Owner& owner, const std::string& id)
{
    auto found = find_webhook(connection, owner, id);
    if (!found) return not_found("The webhook");
    return std::move(found->webhook);
}

using WebhookPage = Page<Webhook, Webhooks::Position>;

Result<WebhookPage> page_after(Connection& connection, const Owner& owner, Webhooks::Position after,
                               std::size_t limit)
{
    Query select = connection.query("SELECT webhooks.position AS page_position, " WEBHOOK_COLUMNS
                                    " FROM webhooks INDEXED BY webhooks_of_user"
                                    " WHERE webhooks.user = ?1 AND webhooks.test = ?2"
                                    " AND webhooks.position < ?3"
                                    " ORDER BY webhooks.position DESC LIMIT ?4");
    select.bind(owner.user, owner.test, after, at_most(limit + 1));
    return page_of<Webhook>(select, limit,
                            [](const Query& row) { return webhook_of(row).webhook; });
}

// Nothing, and it is not changed, if it has to give up more deliveries before it becomes active:
// those would be sent.
Result<std::optional<Webhook>> change_one(Connection& connection, const WebhookChange& change)
{
    if (auto checked = check_caller(connection, change.audit); !checked) return checked.error();
    const Webhook& wanted = change.webhook;
    connection.lock(Lock::webhook, {wanted.id});
    const auto found = find_webhook(connection, wanted.owner, wanted.id);
    if (!found) return not_found("The webhook");
    const Webhook& before = found->webhook;
    if (before.revision != change.seen) return webhook_was_changed();
    KeptWebhook changed{found->position, wanted};
    changed.webhook.created_at = before.created_at;
    changed.webhook.updated_at = to_the_millisecond(wanted.updated_at);
    changed.webhook.revision = before.revision + 1;
    changed.webhook.cursor = before.cursor;
    changed.webhook.last_success_at = before.last_success_at;
    changed.webhook.last_failure_at = before.last_failure_at;
    changed.webhook.failing_since = before.failing_since;
    const bool was_active = before.state == WebhookState::active;
    const bool is_active = wanted.state == WebhookState::active;
    if (is_active != was_active) {
        const bool has_more =
            give_up_deliveries(connection, changed.position, changed.webhook.updated_at);
        if (is_active && has_more) return std::optional<Webhook>();
    }
    if (is_active && !was_active) changed.webhook.failing_since.reset();
    update_webhook(connection, changed);
    const EventType type =
        was_active && !is_active ? EventType::webhook_disabled : EventType::webhook_updated;
    record_events(connection, wanted.owner, {changed.webhook.updated_at, change.cause},
                  {{{type, wanted.id}}});
    if (is_active && !was_active) move_to_newest_event(connection, changed);
    if (auto noted = note(connection, change.audit); !noted) return noted.error();
    return std::optional(std::move(changed.webhook));
}

struct ActiveColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
};

ActiveWebhook active_of(const Query& row)
{
    const auto& at = row.columns<ActiveColumns>();
    return {row[at.id], {row[at.user], row[at.test]}};
}

using ActivePage = Page<ActiveWebhook, Webhooks::Position>;

Result<ActivePage> active_after(Connection& connection, Webhooks::Position after, std::size_t limit)
{
    Query select = connection.query(
        "SELECT webhooks.position AS page_position, webhooks.id, webhooks.user AS of_user,"
        " webhooks.test FROM webhooks INDEXED BY active_webhooks"
        " CROSS JOIN users ON users.id = webhooks.user"
        " WHERE webhooks.state = 'active' AND webhooks.position > ?1 AND users.disabled = 0"
        " ORDER BY webhooks.position LIMIT ?2");
    select.bind(after, at_most(limit + 1));
    return page_of<ActiveWebhook>(select, limit, active_of);
}

// One step in the index for each webhook with pending deliveries, however many those are.
Result<std::vector<ActiveWebhook>> disabled_with_pending(Connection& connection, std::size_t most)
{
    Query select = connection.query(
        "WITH RECURSIVE with_pending(webhook) AS (SELECT CAST(-1 AS BIGINT)"
        " UNION ALL SELECT (SELECT deliveries.webhook FROM deliveries"
        " INDEXED BY pending_deliveries WHERE deliveries.status = 'pending'"
        " AND deliveries.webhook > with_pending.webhook ORDER BY deliveries.webhook LIMIT 1)"
        " FROM with_pending WHERE with_pending.webhook IS NOT NULL)"
        " SELECT webhooks.id, webhooks.user AS of_user, webhooks.test FROM with_pending"
        " CROSS JOIN webhooks ON webhooks.position = with_pending.webhook"
        " WHERE webhooks.state = 'disabled' LIMIT ?1");
    select.bind(at_most(most));
    std::vector<ActiveWebhook> found;
    while (select.next()) found.push_back(active_of(select));
    return found;
}

}  // namespace

Task<Result<Webhooks::Created>> SqlWebhooks::create(Webhook webhook, std::size_t most,
                                                    std::optional<KeyClaim> key, Cause cause,
                                                    std::optional<AuditEvent> audit)
{
    webhook.created_at = to_the_millisecond(webhook.created_at);
    webhook.updated_at = webhook.created_at;
    webhook.revision = 1;
    return writes_.run<Created>(
        audited(std::move(audit), [webhook = std::move(webhook), most, key = std::move(key),
                                   cause = std::move(cause)](Connection& connection) {
            return create_new(connection, webhook, most, key, cause);
        }));
}

Task<Result<std::optional<Webhook>>> SqlWebhooks::find_replay(Owner owner, KeyClaim key)
{
    return reads_.run<std::optional<Webhook>>(
        [owner = std::move(owner), key = std::move(key)](Connection& connection) {
            return webhook_of_key(connection, owner, key);
        });
}

Task<Result<Webhook>> SqlWebhooks::find(Owner owner, std::string id)
{
    return reads_.run<Webhook>(
        [owner = std::move(owner), id = std::move(id)](Connection& connection) {
            return require_webhook(connection, owner, id);
        });
}

Task<Result<WebhookPage>> SqlWebhooks::list(Owner owner, std::optional<Position> after,
                                            std::size_t limit)
{
    const Position from = after.value_or(std::numeric_limits<Position>::max());
    return reads_.run<WebhookPage>([owner = std::move(owner), from, limit](Connection& connection) {
        return page_after(connection, owner, from, limit);
    });
}

Task<Result<Webhook>> SqlWebhooks::change(WebhookChange change)
{
    round_times(change.webhook.secret.old);
    for (;;) {
        auto changed = co_await writes_.run<std::optional<Webhook>>(
            [change](Connection& connection) { return change_one(connection, change); });
        if (!changed) co_return changed.error();
        if (*changed) co_return std::move(**changed);
    }
}

Task<Result<>> SqlWebhooks::remove(Owner owner, std::string id,
                                   std::optional<std::int64_t> expected, TimePoint now, Cause cause,
                                   std::optional<AuditEvent> audit)
{
    WebhookRemoval removal{.owner = std::move(owner),
                           .id = std::move(id),
                           .expected = expected,
                           .now = now,
                           .cause = std::move(cause),
                           .audit = std::move(audit)};
    for (;;) {
        const auto left = co_await writes_.run<std::optional<std::int64_t>>(
            [removal](Connection& connection) { return remove_some(connection, removal); });
        if (!left) co_return left.error();
        if (!*left) co_return Result<>();
        if (removal.expected) removal.expected = *left;
    }
}

Task<Result<ActivePage>> SqlWebhooks::active(std::optional<Position> after, std::size_t limit)
{
    return reads_.run<ActivePage>([after = after.value_or(0), limit](Connection& connection) {
        return active_after(connection, after, limit);
    });
}

Task<Result<std::vector<ActiveWebhook>>> SqlWebhooks::giving_up(std::size_t most)
{
    return reads_.run<std::vector<ActiveWebhook>>(
        [most](Connection& connection) { return disabled_with_pending(connection, most); });
}

}  // namespace parley::store::sql
