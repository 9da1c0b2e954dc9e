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

Task<std::string> WebhookPayloads::with_snapshot(const store::Webhook& webhook,
                                                 const store::Delivery& delivery) const
{
    const auto found = co_await snapshot(webhook, delivery);
    std::string added = ",\"snapshot\":";
    if (!found)
        added += "null";
    else if (found->size() > largest_snapshot)
        added += "null,\"truncated\":true";
    else
        added += *found;
    // `data` is the last field of an event: the body ends with its brace and that of the event.
    std::string body = delivery.body;
    body.insert(body.size() - 2, added);
    co_return body;
}

// Nothing if the object is gone.
Task<std::optional<std::string>> WebhookPayloads::snapshot(const store::Webhook& webhook,
                                                           const store::Delivery& delivery) const
{
    const std::string_view type = delivery.event_type;
    const Owner& owner = webhook.owner;
    if (type.starts_with("chat.run.")) {
        const auto run = co_await runs_.find(owner, delivery.subject);
        if (run && type != "chat.run.created") co_await run->wait_for_end(time_to_end);
        if (run) co_return fields::write(run->view());
    } else if (type.starts_with("chat.session.")) {
        const auto session = co_await store_.sessions().find_session(owner, delivery.subject);
        if (session) co_return fields::write(chat::view(*session));
    } else if (type.starts_with("automation.run.")) {
        co_return co_await automation_run(webhook, delivery.subject);
    } else if (type.starts_with("automation.")) {
        const auto automation = co_await store_.automations().find(owner, delivery.subject);
        if (automation) co_return fields::write(automations_.view(*automation));
    } else if (type.starts_with("webhook.")) {
        const auto found = co_await store_.webhooks().find(owner, delivery.subject);
        if (found) co_return fields::write(webhook::view(*found));
    }
    co_return std::nullopt;  // Tokens and logins: their events say all.
}

// With its run, if the webhook may hear of chats.
Task<std::optional<std::string>> WebhookPayloads::automation_run(const store::Webhook& webhook,
                                                                 std::string id) const
{
    const auto row = co_await store_.ledger().find(webhook.owner, std::move(id));
    if (!row) co_return std::nullopt;
    AutomationRunView view = automations_.view(*row, errors_);
    const auto scopes = auth::Scopes::from_bits(webhook.scopes);
    if (view.run_id && view.session_id && scopes.has(auth::Scope::chat_read)) {
        const auto run = co_await runs_.find(webhook.owner, *view.run_id);
        if (run && view.completed_at) co_await run->wait_for_end(time_to_end);
        if (run) add_run(view, run->view());
    }
    co_return fields::write(view);
}

}  // namespace parley::api
