// Couriers: what is done for one endpoint.
#include "auth/event_scopes.hpp"
#include "base/id.hpp"
#include "base/log.hpp"
#include "domain/event.hpp"
#include "fields/write.hpp"
#include "webhook/couriers.hpp"
#include "webhook/target.hpp"
#include "webhook/webhooks.hpp"

namespace parley::webhook {
namespace {

constexpr std::size_t events_of_a_page = 200;
constexpr std::size_t deliveries_at_once = 8;
constexpr std::size_t webhooks_of_a_page = 100;

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

// The webhooks of a disabled user are forgotten: the store is asked which ones there are.
void Couriers::user_changed(const std::string& user)
{
    if (!user.empty() && !stopped_) spawn(rouse_all_of(user));
}

Task<> Couriers::rouse_all_of(std::string user)
{
    for (const bool test : {false, true}) {
        const Owner owner{.user = user, .test = test};
        std::optional<store::Webhooks::Position> after;
        do {
            const auto page =
                co_await services_.store.webhooks().list(owner, after, webhooks_of_a_page);
            if (!page) {
                load_soon();
                co_return;
            }
            for (const store::Webhook& each : page->items)
                if (each.state == WebhookState::active) rouse(entry(each.id, owner));
            after = page->next;
        } while (after && !stopped_);
    }
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
        log::debug("cannot process a webhook", log::kv("webhook_id", endpoint->id),
                   log::kv("reason", done.error().message));
        try_later(*endpoint, time_before_retry);
        break;
    }
}

Task<Result<>> Couriers::look_after(const EndpointRef& endpoint)
{
    if (!may_send()) {
        sends_ = false;  // Once it may, it looks after all, also if that was only for a moment.
        co_return Result<>();
    }
    auto webhook = co_await services_.store.deliveries().endpoint(endpoint->id);
    if (!webhook) co_return webhook.error();
    if (!*webhook) {  // Deleted or disabled. A change wakes it, perhaps already.
        const auto has_more =
            co_await services_.store.deliveries().give_up(endpoint->id, services_.clock.now());
        if (!has_more) co_return has_more.error();
        if (*has_more) endpoint->is_woken = true;
        // A delivery that is being sent must not be sent a second time if it is enabled again.
        if (!endpoint->is_woken && endpoint->running.empty()) forget(endpoint);
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
        auto stored =
            co_await services_.store.deliveries().dispatch({.webhook = webhook.id,
                                                            .revision = webhook.revision,
                                                            .seen = webhook.cursor,
                                                            .new_cursor = page->read_to,
                                                            .deliveries = std::move(deliveries)});
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

// Whether the webhook has been neither changed nor disabled since it was read.
Task<Result<bool>> Couriers::is_current(const store::Webhook& webhook) const
{
    const auto now = co_await services_.store.deliveries().endpoint(webhook.id);
    if (!now) co_return now.error();
    co_return *now && (*now)->revision == webhook.revision;
}

// Sends what is due, as far as there are places. What is sent is put together here, one after the
// other: first tries start in the order of the log. Only an endpoint with something to send waits
// for a place.
Task<Result<>> Couriers::hand_out(const EndpointRef& endpoint, const store::Webhook& webhook)
{
    if (endpoint->ticket && !has_place_for(*endpoint)) {
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
    // Deliveries that end while the store is read may still be among those that it gives.
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
        auto place = std::make_unique<Places::Taken>(places_, endpoint->host, endpoint->owner.user,
                                                     endpoint->failing);
        auto body = co_await body_of(webhook, each);
        if (!body) {  // It does not hold up the others.
            log::warn("cannot read the object of a delivery", log::kv("webhook_id", webhook.id),
                      log::kv("delivery_id", each.id), log::kv("reason", body.error().message));
            try_later(*endpoint, time_before_retry);
            continue;
        }
        // Reading the object may have taken long.
        const auto current = co_await is_current(webhook);
        if (!current) co_return current.error();
        if (!*current) {
            endpoint->is_woken = true;
            co_return Result<>();
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

bool Couriers::may_hear(const store::Webhook& webhook, const store::Delivery& delivery)
{
    if (delivery.event_type == "webhook.test") return true;
    return auth::Scopes::from_bits(webhook.scopes).has(auth::scope_of_event(delivery.event_type));
}

void Couriers::try_later(Endpoint& endpoint, std::chrono::seconds wait)
{
    endpoint.retry_at = services_.clock.now() + wait;
    sleep_until(*endpoint.retry_at);
}

}  // namespace parley::webhook
