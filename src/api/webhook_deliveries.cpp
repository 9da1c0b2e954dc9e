// Deliveries of webhooks over HTTP.
#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/run_answers.hpp"
#include "webhook/webhooks.hpp"

namespace parley::api {
namespace {

using webhook::Webhooks;
using WebhookReader = With<auth::Scope::automation_read>;
using WebhookWriter = With<auth::Scope::automation_write>;

// A delivery that was queued: 202.
struct QueuedDelivery {
    DeliveryView delivery;
};
struct QueuedReplay {
    ReplayView replay;
};

Task<Result<ListPage<DeliveryView>>> list_webhook_deliveries(store::Store& store, Cursors& cursors,
                                                             WebhookReader caller,
                                                             Path<WebhookPath> path,
                                                             Query<DeliveriesQuery> query)
{
    const Owner owner = owner_of(caller);
    std::string list = "deliveries " + path.webhook + (owner.test ? " test " : " ");
    list.append(query.status ? fields::name_of(*query.status) : "all");
    const PagePosition place(std::move(list), cursors);
    const auto after = place.of({.limit = query.limit, .after = query.after});
    if (!after) co_return after.error();
    const auto page =
        co_await store.deliveries().list(owner, std::move(path.webhook), query.status, *after,
                                         static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<DeliveryView>(
        *page, [](const store::Delivery& each) { return webhook::view(each); });
}

Task<Result<DeliveryView>> get_webhook_delivery(store::Store& store, WebhookReader caller,
                                                Path<DeliveryPath> path)
{
    const auto found = co_await store.deliveries().find(owner_of(caller), std::move(path.webhook),
                                                        std::move(path.delivery));
    if (!found) co_return found.error();
    co_return webhook::view(*found);
}

Task<Result<QueuedDelivery>> test_webhook(Webhooks& webhooks, WebhookWriter caller, Origin origin,
                                          Path<WebhookPath> path)
{
    const auto queued = co_await webhooks.test(owner_of(caller), std::move(path.webhook),
                                               {caller->actor, std::move(origin)});
    if (!queued) co_return queued.error();
    co_return QueuedDelivery{webhook::view(*queued)};
}

Task<Result<QueuedDelivery>> redeliver_webhook_delivery(Webhooks& webhooks, WebhookWriter caller,
                                                        Path<DeliveryPath> path)
{
    const auto queued = co_await webhooks.redeliver(owner_of(caller), std::move(path.webhook),
                                                    std::move(path.delivery));
    if (!queued) co_return queued.error();
    co_return QueuedDelivery{webhook::view(*queued)};
}

Task<Result<QueuedReplay>> replay_webhook(Webhooks& webhooks, WebhookWriter caller,
                                          Path<WebhookPath> path, Body<ReplayBody> body)
{
    auto replay = co_await webhooks.replay(owner_of(caller), std::move(path.webhook), body);
    if (!replay) co_return replay.error();
    co_return QueuedReplay{std::move(*replay)};
}

}  // namespace

namespace detail {

template <>
struct ResponseTraits<QueuedDelivery> {
    static constexpr int status = 202;
    static constexpr std::array fields{"Location"};
    static boost::json::object schema()
    {
        return fields::schema<DeliveryView>(fields::Direction::response);
    }
    static http::Response response(const QueuedDelivery& queued)
    {
        const DeliveryView& delivery = queued.delivery;
        auto response = json_response(status, fields::write(delivery));
        response.fields.add(
            "Location", "/v1/api/webhooks/" + delivery.webhook_id + "/deliveries/" + delivery.id);
        return response;
    }
};

template <>
struct ResponseTraits<QueuedReplay> {
    static constexpr int status = 202;
    static boost::json::object schema()
    {
        return fields::schema<ReplayView>(fields::Direction::response);
    }
    static http::Response response(const QueuedReplay& queued)
    {
        return json_response(status, fields::write(queued.replay));
    }
};

}  // namespace detail

std::vector<Route> webhook_delivery_routes()
{
    return {
        route<test_webhook>(
            "POST", "/v1/api/webhooks/{webhook}/test", "testWebhook", "Send a test event",
            needs_room,
            description("Sends an event of the type `webhook.test`, which is not in the "
                        "event log. The delivery has the result."),
            may_fail(Errc::conflict)),
        route<list_webhook_deliveries>(
            "GET", "/v1/api/webhooks/{webhook}/deliveries", "listWebhookDeliveries",
            "List the deliveries of a webhook, newest first",
            description("With the attempts of each. Deliveries are stored for 30 days."),
            may_fail(Errc::invalid_cursor)),
        route<get_webhook_delivery>("GET", "/v1/api/webhooks/{webhook}/deliveries/{delivery}",
                                    "getWebhookDelivery", "Get one delivery"),
        route<redeliver_webhook_delivery>(
            "POST", "/v1/api/webhooks/{webhook}/deliveries/{delivery}/redeliver",
            "redeliverWebhookDelivery", "Send an event again", needs_room,
            description(
                "Sends it now, with the same `webhook-id`; if it fails, all retries follow again."),
            may_fail(Errc::conflict)),
        route<replay_webhook>(
            "POST", "/v1/api/webhooks/{webhook}/replay", "replayWebhook",
            "Send the events of a part of the log again", needs_room,
            description("For example after the endpoint was down or disabled. Events "
                        "keep their `webhook-id`."),
            may_fail(Errc::conflict)),
    };
}

}  // namespace parley::api
