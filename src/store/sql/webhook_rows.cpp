#include "store/sql/webhook_rows.hpp"

#include "fields/write.hpp"
#include "store/sql/old_secrets.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sql {
namespace {

struct WebhookColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::string> url{*in, "url"};
    Column<std::string> event_types{*in, "event_types"};
    Column<std::uint8_t> scopes{*in, "scopes"};
    Column<WebhookPayload> payload{*in, "payload"};
    Column<bool> ordered{*in, "ordered"};
    Column<std::string> description{*in, "description"};
    Column<std::string> metadata{*in, "metadata"};
    Column<WebhookState> state{*in, "state"};
    Column<std::optional<DisabledReason>> disabled_reason{*in, "disabled_reason"};
    Column<std::string> secret{*in, "secret"};
    Column<std::string> hint{*in, "secret_hint"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<TimePoint> updated_at{*in, "updated_ms"};
    Column<std::int64_t> revision{*in, "revision"};
    Column<std::int64_t> cursor{*in, "event_cursor"};
    Column<std::optional<TimePoint>> last_success_at{*in, "last_success_ms"};
    Column<std::optional<TimePoint>> last_failure_at{*in, "last_failure_ms"};
    Column<std::optional<TimePoint>> failing_since{*in, "failing_since_ms"};
};

}  // namespace

KeptWebhook webhook_of(const Query& row)
{
    const auto& at = row.columns<WebhookColumns>();
    return {row[at.position],
            {.id = row[at.id],
             .owner = {row[at.user], row[at.test]},
             .url = row[at.url],
             .event_types = row[at.event_types],
             .scopes = row[at.scopes],
             .payload = row[at.payload],
             .ordered = row[at.ordered],
             .description = row[at.description],
             .metadata = row[at.metadata],
             .state = row[at.state],
             .disabled_reason = row[at.disabled_reason],
             .secret = {.sealed = row[at.secret], .hint = row[at.hint], .old = old_secrets_of(row)},
             .created_at = row[at.created_at],
             .updated_at = row[at.updated_at],
             .revision = row[at.revision],
             .cursor = row[at.cursor],
             .last_success_at = row[at.last_success_at],
             .last_failure_at = row[at.last_failure_at],
             .failing_since = row[at.failing_since]}};
}

std::optional<KeptWebhook> find_webhook(Connection& connection, const std::string& id)
{
    Query select =
        connection.query("SELECT " WEBHOOK_COLUMNS " FROM webhooks WHERE webhooks.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return webhook_of(select);
}

std::optional<KeptWebhook> find_webhook(Connection& connection, const Owner& owner,
                                        const std::string& id)
{
    auto found = find_webhook(connection, id);
    if (!found || found->webhook.owner != owner) return std::nullopt;
    return found;
}

void update_webhook(Connection& connection, const KeptWebhook& kept)
{
    const Webhook& webhook = kept.webhook;
    std::optional<std::string_view> reason;
    if (webhook.disabled_reason) reason = fields::name_of(*webhook.disabled_reason);
    const auto packed = packed_old_secrets(webhook.secret.old);
    std::optional<Blob> old_secrets;
    if (packed) old_secrets = Blob{*packed};
    Query update = connection.query(
        "UPDATE webhooks SET url = ?2, event_types = ?3, scopes = ?4, payload = ?5, ordered = ?6,"
        " description = ?7, metadata = ?8, state = ?9, disabled_reason = ?10, secret = ?11,"
        " secret_hint = ?12, old_secrets = ?13, old_secret = NULL, old_until_ms = NULL,"
        " updated_ms = ?14, revision = ?15, event_cursor = ?16, last_success_ms = ?17,"
        " last_failure_ms = ?18, failing_since_ms = ?19 WHERE position = ?1");
    update.bind(
        kept.position, webhook.url, webhook.event_types, static_cast<std::int64_t>(webhook.scopes),
        fields::name_of(webhook.payload), webhook.ordered, webhook.description, webhook.metadata,
        fields::name_of(webhook.state), reason, Blob{webhook.secret.sealed}, webhook.secret.hint,
        old_secrets, webhook.updated_at, webhook.revision, webhook.cursor, webhook.last_success_at,
        webhook.last_failure_at, webhook.failing_since);
    update.run();
}

bool give_up_deliveries(Connection& connection, std::int64_t webhook, TimePoint now)
{
    Query update = connection.query(
        "UPDATE deliveries SET status = 'failed', due_ms = NULL, ended_ms = ?2"
        " WHERE position IN (SELECT position FROM deliveries INDEXED BY pending_deliveries"
        " WHERE webhook = ?1 AND status = 'pending' ORDER BY number LIMIT ?3)");
    return update.bind(webhook, now, at_most(deliveries_of_a_step)).run() == deliveries_of_a_step;
}

}  // namespace parley::store::sql
