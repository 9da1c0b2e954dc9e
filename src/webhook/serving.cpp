// Couriers: what is done for one endpoint.
#include "auth/event_scopes.hpp"
#include "base/id.hpp"
#include "base/log.hpp"
#include "domain/event.hpp"
#include "fields/write.hpp"
#include "webhook/couriers.hpp"
#include "webhook/retry.hpp"
#include "webhook/target.hpp"
#include "webhook/webhooks.hpp"

#include <boost/asio/redirect_error.hpp>

#include <random>

namespace parley::webhook {
namespace {

constexpr std::size_t events_of_a_page = 200;
constexpr std::chrono::seconds time_before_retry{1};  // If the store cannot be used.
constexpr std::chrono::days patience_with_failures{5};

// If the secret of a webhook cannot be read, because the operator has changed the key.
constexpr std::chrono::minutes time_before_signing{1};
constexpr std::size_t deliveries_at_once = 8;

double random_share()
{
    std::random_device source;
    return std::uniform_real_distribution(0.0, 1.0)(source);
}

// Since the event was queued, a token with fewer rights may have changed the webhook.
bool may_hear(const store::Webhook& webhook, const store::Delivery& delivery)
{
    if (delivery.event_type == "webhook.test") return true;
    return auth::Scopes::from_bits(webhook.scopes).has(auth::scope_of_event(delivery.event_type));
}

}  // namespace

EventTypes types_of(const store::Webhook& webhook)
{
    EventTypes types;
    for (const std::string& name : names_of_types(webhook)) types.add(types_named(name));
    return types.both(auth::readable_events(auth::Scopes::from_bits(webhook.scopes)));
}

store::Delivery delivery_of(const Payloads& payloads, const store::Webhook& webhook,
                            const store::Event& event, TimePoint now)
{
    return {.id = new_id("dlv", now),
            .webhook = webhook.id,
            .event = event.id,
            .event_type = std::string(fields::name_of(event.type)),
            .number = event.number,
            .body = payloads.event(webhook.owner, event),
            .subject = event.subject,
            .parent = event.parent,
            .created_at = now};
}

Task<> Couriers::serve(EndpointRef endpoint)
{
    const Service service(*this, *endpoint);
    while (endpoint->is_woken && !stopped_) {
        endpoint->is_woken = false;
        endpoint->waits = false;
        endpoint->next_at.reset();
        const auto done = co_await look_after(endpoint);
        if (done) continue;
        log::debug("cannot look after a webhook", log::kv("webhook_id", endpoint->id),
                   log::kv("reason", done.error().message));
        try_later(*endpoint, time_before_retry);
        break;
    }
}

Task<Result<>> Couriers::look_after(const EndpointRef& endpoint)
{
    auto webhook = co_await services_.store.deliveries().endpoint(endpoint->id);
    if (!webhook) co_return webhook.error();
    if (!*webhook) {  // Deleted or disabled. A change wakes it, perhaps already.
        if (!endpoint->is_woken) forget(endpoint);
        co_return Result<>();
    }
    store::Webhook& kept = **webhook;
    endpoint->failing = kept.failing_since.has_value();
    endpoint->ordered = kept.ordered;
    const auto url = http::client::Url::parse(kept.url);
    endpoint->host = url ? url->host_and_port() : "";
    const auto dispatched = co_await dispatch(kept);
    if (!dispatched) co_return dispatched.error();
    if (!*dispatched) {  // It was changed meanwhile.
        endpoint->is_woken = true;
        co_return Result<>();
    }
    co_return co_await hand_out(endpoint, kept);
}

// Makes deliveries of all new events. False if the webhook was changed meanwhile.
Task<Result<bool>> Couriers::dispatch(store::Webhook& webhook)
{
    const EventTypes types = types_of(webhook);
    while (!stopped_) {
        const auto page = co_await services_.store.events().read(webhook.owner, webhook.cursor,
                                                                 types, events_of_a_page);
        if (!page) co_return page.error();
        if (page->read_to <= webhook.cursor) break;
        std::vector<store::Delivery> deliveries;
        for (const store::Event& event : page->events)
            deliveries.push_back(
                delivery_of(services_.payloads, webhook, event, services_.clock.now()));
        auto stored = co_await services_.store.deliveries().dispatch(
            webhook.id, webhook.cursor, page->read_to, std::move(deliveries));
        if (!stored || !*stored) co_return stored;
        webhook.cursor = page->read_to;
        if (page->read_to == page->latest) break;
    }
    co_return true;
}

// Owners in test mode may have a clock of their own; nothing: real time.
Task<Result<std::optional<TimePoint>>> Couriers::test_time(const Owner& owner) const
{
    if (!owner.test) co_return std::optional<TimePoint>();
    co_return co_await services_.store.ledger().test_clock(owner);
}

// Sends what is due, as far as there are places. What is sent is put together here, one after the
// other: first tries start in the order of the log.
Task<Result<>> Couriers::hand_out(const EndpointRef& endpoint, const store::Webhook& webhook)
{
    if (!has_place_for(*endpoint)) {
        wait_for_place(*endpoint);
        co_return Result<>();
    }
    if (const auto secrets = secrets_of(webhook); !secrets) {
        log::error("cannot sign for a webhook", log::kv("webhook_id", webhook.id),
                   log::kv("reason", secrets.error().message));
        try_later(*endpoint, time_before_signing);
        co_return Result<>();
    }
    const std::size_t most = endpoint->running.size() + deliveries_at_once;
    // What ends while the store is read may still be among what it gives.
    const std::set<std::string> were_running = endpoint->running;
    const auto set_time = co_await test_time(webhook.owner);
    if (!set_time) co_return set_time.error();
    auto due = co_await services_.store.deliveries().due(
        webhook.id, webhook.ordered, set_time->value_or(services_.clock.now()), most);
    if (!due) co_return due.error();
    // A test clock stands still: what comes next becomes due when it is moved.
    if (!*set_time) endpoint->next_at = due->next_at;
    if (endpoint->next_at) sleep_until(*endpoint->next_at);
    for (store::Delivery& each : due->deliveries) {
        if (stopped_ || were_running.contains(each.id)) continue;
        if (!has_place_for(*endpoint)) {
            wait_for_place(*endpoint);
            co_return Result<>();
        }
        endpoint->ticket.reset();
        auto place = std::make_unique<Places::Taken>(places_, endpoint->host, endpoint->failing);
        auto body = co_await body_of(webhook, each);
        if (!body) {  // It does not hold up the others.
            log::warn("cannot read the object of a delivery", log::kv("webhook_id", webhook.id),
                      log::kv("delivery_id", each.id), log::kv("reason", body.error().message));
            try_later(*endpoint, time_before_retry);
            continue;
        }
        endpoint->running.insert(each.id);
        spawn(attempt(endpoint, {webhook, std::move(each), std::move(*body), std::move(place)}));
    }
    endpoint->ticket.reset();
    if (due->deliveries.size() == most) endpoint->is_woken = true;
    co_return Result<>();
}

Task<Result<std::string>> Couriers::body_of(const store::Webhook& webhook,
                                            const store::Delivery& delivery) const
{
    if (webhook.payload == WebhookPayload::thin || !may_hear(webhook, delivery))
        co_return delivery.body;
    co_return co_await services_.payloads.with_snapshot(webhook, delivery);
}

void Couriers::try_later(Endpoint& endpoint, std::chrono::seconds wait)
{
    endpoint.retry_at = services_.clock.now() + wait;
    sleep_until(*endpoint.retry_at);
}

Task<> Couriers::attempt(EndpointRef endpoint, Sending sending)
{
    ++sending_;
    const auto sent = co_await send(sending);
    --sending_;
    // An attempt that the shutdown has ended is made again by the next process.
    if (sent && (sent->succeeded() || !stopped_)) {
        ++(sent->succeeded() ? succeeded_ : failed_);
        co_await settle(endpoint, co_await end_of(sending, *sent));
    }
    sending.place.reset();
    endpoint->running.erase(sending.delivery.id);
    if (sent)
        rouse(endpoint);
    else
        try_later(*endpoint, time_before_signing);
    rouse_one_that_waits();
}

Task<std::optional<SentAttempt>> Couriers::send(const Sending& sending)
{
    const auto secrets = secrets_of(sending.webhook);
    if (!secrets || stopped_) co_return std::nullopt;
    if (!may_hear(sending.webhook, sending.delivery))
        co_return SentAttempt{
            .attempt = {.at = services_.clock.now(), .error = DeliveryError::address_refused},
            .is_forbidden = true};
    co_return co_await services_.sender.send(
        {.url = sending.webhook.url, .event = sending.delivery.event, .body = sending.body},
        *secrets);
}

Task<store::DeliveryEnd> Couriers::end_of(const Sending& sending, const SentAttempt& sent) const
{
    store::DeliveryEnd end{.webhook = sending.webhook.id,
                           .delivery = sending.delivery.id,
                           .attempt = sent.attempt,
                           .succeeded = sent.succeeded(),
                           .patience = patience_with_failures,
                           .tries = sending.delivery.tries,
                           .url = sending.webhook.url};
    if (end.succeeded) co_return end;
    const auto wait = wait_before_next_try(static_cast<std::size_t>(sending.delivery.tries) + 1,
                                           sent.retry_after, random_share());
    if (wait && !sent.is_forbidden) {
        const auto set_time = co_await test_time(sending.webhook.owner);
        const TimePoint ended = sent.attempt.at + sent.attempt.duration;
        end.next_attempt_at = (set_time ? set_time->value_or(ended) : ended) + *wait;
    }
    if (sent.is_gone()) end.disables = DisabledReason::gone;
    co_return end;
}

// The new one first, as long as the old one is valid.
Result<std::vector<SigningSecret>> Couriers::secrets_of(const store::Webhook& webhook) const
{
    std::vector<SigningSecret> secrets;
    std::vector<std::string_view> sealed{webhook.secret.sealed};
    if (!webhook.secret.old_sealed.empty() && webhook.secret.old_until &&
        *webhook.secret.old_until > services_.clock.now())
        sealed.emplace_back(webhook.secret.old_sealed);
    for (const std::string_view each : sealed) {
        const auto text = services_.sealer.open(webhook.id, each);
        if (!text) return text.error();
        auto secret = SigningSecret::parse(text->reveal());
        if (!secret) return secret.error();
        secrets.push_back(std::move(*secret));
    }
    return secrets;
}

// Until it is stored: a delivery that was sent and not settled would be sent again at once.
Task<> Couriers::settle(EndpointRef endpoint, store::DeliveryEnd end)
{
    Timer pause(services_.loop.executor());
    while (true) {
        const auto settled = co_await services_.store.deliveries().settle(end);
        if (settled && *settled) {
            endpoint->failing = (*settled)->failing_since.has_value();
            if ((*settled)->state == WebhookState::disabled)
                log::info("webhook disabled", log::kv("webhook_id", end.webhook));
        }
        if (settled || stopped_) co_return;
        pause.expires_after(time_before_retry);
        boost::system::error_code ignored;
        co_await pause.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
}

}  // namespace parley::webhook
