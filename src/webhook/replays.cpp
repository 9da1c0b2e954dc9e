// Webhooks: what is sent besides new events.
#include "base/id.hpp"
#include "webhook/couriers.hpp"
#include "webhook/webhooks.hpp"

namespace parley::webhook {
namespace {

constexpr std::size_t replayed_at_once = 200;  // In one transaction.

}  // namespace

Task<Result<store::Delivery>> Webhooks::test(Owner owner, std::string id, Actor actor)
{
    const TimePoint now = clock_.now();
    store::Delivery delivery{.id = new_id("dlv", now),
                             .webhook = id,
                             .event = new_id("evt", now),
                             .event_type = "webhook.test",
                             .subject = id,
                             .created_at = now};
    delivery.body = payloads_.test_event(owner, delivery, actor.cause());
    auto added = co_await store_.deliveries().add(owner, std::move(delivery));
    if (added) wake_(id, owner);
    co_return added;
}

Task<Result<store::Delivery>> Webhooks::redeliver(Owner owner, std::string webhook, std::string id)
{
    auto queued = co_await store_.deliveries().redeliver(owner, webhook, std::move(id));
    if (queued) wake_(webhook, owner);
    co_return queued;
}

// In steps, so that the writes of others do not wait for thousands of rows.
Task<Result<api::ReplayView>> Webhooks::replay(Owner owner, std::string id, api::ReplayBody body)
{
    const auto webhook = co_await store_.webhooks().find(owner, id);
    if (!webhook) co_return webhook.error();
    const EventTypes types = types_of(*webhook);
    api::ReplayView view{.until = body.after};
    for (bool is_first = true;; is_first = false) {
        if (view.count >= static_cast<std::int64_t>(rules_.most_replayed)) break;
        const std::size_t rest = rules_.most_replayed - static_cast<std::size_t>(view.count);
        const std::size_t most = std::min(rest, replayed_at_once);
        const auto page = co_await store_.events().read(owner, view.until, types, most);
        if (!page) co_return page.error();
        const std::int64_t end = std::min(body.until.value_or(page->latest), page->latest);
        if ((view.until >= end && !is_first) || most == 0) break;
        store::Replay step{.owner = owner,
                           .webhook = id,
                           .after = view.until,
                           .until = std::min(end, page->read_to),
                           .only_failed = body.only_failed,
                           .most = most};
        for (const store::Event& event : page->events)
            if (event.number <= step.until)
                step.deliveries.push_back(delivery_of(payloads_, *webhook, event, clock_.now()));
        const auto done = co_await store_.deliveries().replay(std::move(step));
        if (!done) co_return done.error();
        view.count += static_cast<std::int64_t>(done->count);
        view.until = std::max(view.until, done->until);
    }
    wake_(id, owner);
    co_return view;
}

}  // namespace parley::webhook
