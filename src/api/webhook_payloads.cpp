#include "api/webhook_payloads.hpp"

#include "api/automation_answers.hpp"
#include "auth/scope.hpp"
#include "chat/event_view.hpp"
#include "chat/views.hpp"
#include "fields/write.hpp"
#include "webhook/webhooks.hpp"

#include <boost/json/serialize.hpp>

namespace parley::api {
namespace {

constexpr std::size_t largest_snapshot = std::size_t{256} * 1024;
// A run whose end is stored is a moment later also ended for its readers.
constexpr std::chrono::seconds time_to_end{2};

using Snapshot = Result<std::optional<std::string>>;

// An object that cannot be read now is not gone.
Snapshot gone_or(const Error& error)
{
    if (error.code == Errc::not_found) return std::optional<std::string>();
    return error;
}

Snapshot written(const auto& found, const auto& view)
{
    if (!found) return gone_or(found.error());
    return std::optional(fields::write(view(*found)));
}

}  // namespace

std::string WebhookPayloads::event(const Owner& owner, const store::Event& event) const
{
    return fields::write(chat::view(owner, event));
}

std::string WebhookPayloads::test_event(const Owner& owner, const store::Delivery& delivery,
                                        const Cause& cause) const
{
    const store::Event event{.id = delivery.event,
                             .at = delivery.created_at,
                             .type = EventType::webhook_updated,
                             .subject = delivery.subject,
                             .cause = cause};
    boost::json::value written = fields::to_json(chat::view(owner, event));
    written.as_object()["type"] = delivery.event_type;
    return boost::json::serialize(written);
}

Task<Result<std::string>> WebhookPayloads::with_snapshot(const store::Webhook& webhook,
                                                         const store::Delivery& delivery) const
{
    const auto found = co_await snapshot(webhook, delivery);
    if (!found) co_return found.error();
    std::string added = ",\"snapshot\":";
    if (!*found)
        added += "null";
    else if ((*found)->size() > largest_snapshot)
        added += "null,\"truncated\":true";
    else
        added += **found;
    // `data` is the last field of an event: the body ends with its brace and that of the event.
    std::string body = delivery.body;
    body.insert(body.size() - 2, added);
    co_return body;
}

Task<WebhookPayloads::Snapshot> WebhookPayloads::snapshot(const store::Webhook& webhook,
                                                          const store::Delivery& delivery) const
{
    const std::string_view type = delivery.event_type;
    const Owner& owner = webhook.owner;
    if (type.starts_with("chat.run.")) {
        const auto run = co_await runs_.find(owner, delivery.subject);
        if (run && type != "chat.run.created") co_await run->wait_for_end(time_to_end);
        co_return written(run, [](const chat::RunHandle& found) { return found.view(); });
    }
    if (type.starts_with("chat.session.")) {
        const auto session = co_await store_.sessions().find_session(owner, delivery.subject);
        co_return written(session, [](const store::Session& found) { return chat::view(found); });
    }
    if (type.starts_with("automation.run."))
        co_return co_await automation_run(webhook, delivery.subject);
    if (type.starts_with("automation.")) {
        const auto automation = co_await store_.automations().find(owner, delivery.subject);
        co_return written(automation, [this](const store::Automation& found) {
            return automations_.view(found);
        });
    }
    if (type.starts_with("webhook.")) {
        const auto found = co_await store_.webhooks().find(owner, delivery.subject);
        co_return written(found, [](const store::Webhook& each) { return webhook::view(each); });
    }
    co_return std::optional<std::string>();  // Tokens and logins: their events say all.
}

// With its run, if the webhook may hear of chats.
Task<WebhookPayloads::Snapshot> WebhookPayloads::automation_run(const store::Webhook& webhook,
                                                                std::string id) const
{
    const auto row = co_await store_.ledger().find(webhook.owner, std::move(id));
    if (!row) co_return gone_or(row.error());
    AutomationRunView view = automations_.view(*row, errors_);
    const auto scopes = auth::Scopes::from_bits(webhook.scopes);
    if (view.run_id && view.session_id && scopes.has(auth::Scope::chat_read)) {
        const auto run = co_await runs_.find(webhook.owner, *view.run_id);
        if (!run && run.error().code != Errc::not_found) co_return run.error();
        if (run && view.completed_at) co_await run->wait_for_end(time_to_end);
        if (run) add_run(view, run->view());
    }
    co_return std::optional(fields::write(view));
}

}  // namespace parley::api
