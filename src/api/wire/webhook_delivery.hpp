// Requests and responses of /v1/api/webhooks/{webhook}/deliveries.
#pragma once

#include "api/wire/webhook.hpp"

namespace parley::api {

struct DeliveryAttemptView {
    std::string at;
    std::optional<std::int64_t> status;
    std::int64_t duration_ms = 0;
    std::optional<DeliveryError> error;
    std::optional<std::string> response;

    static constexpr fields::SchemaInfo schema_info{"DeliveryAttempt",
                                                    "One attempt to deliver an event."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = DeliveryAttemptView;
        return std::tuple(
            field("at", &View::at, "When it began.", example("2026-01-31T09:30:00.000Z"), moment),
            field("status", &View::status, "The HTTP status of the response, if there was one.",
                  example(200)),
            field("duration_ms", &View::duration_ms, "How long it took.", example(87)),
            field("error", &View::error, "Why there was no response."),
            field("response", &View::response, "The first 1 KiB of the response."));
    }
};

struct DeliveryView {
    std::string object = "webhook.delivery";
    std::string id;
    std::string webhook_id;
    std::string event_id;
    std::string event_type;
    DeliveryStatus status = DeliveryStatus::pending;
    std::vector<DeliveryAttemptView> attempts;
    std::optional<std::string> next_attempt_at;
    std::string created_at;

    static constexpr fields::SchemaInfo schema_info{"WebhookDelivery",
                                                    "The delivery of an event to a webhook."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = DeliveryView;
        return std::tuple(
            field("object", &View::object, "Always `webhook.delivery`.",
                  one_of("webhook.delivery")),
            field("id", &View::id, "Id of the delivery.", example("dlv_01J9ZQ8R0000000000000000AB"),
                  id_of_delivery),
            field("webhook_id", &View::webhook_id, "Id of the webhook.",
                  example("whk_01J9ZQ8R0000000000000000AB"), id_of_webhook),
            field("event_id", &View::event_id,
                  "Id of the event: the `webhook-id` of every attempt.",
                  example("evt_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"), id_of_event),
            field("event_type", &View::event_type, "Type of the event.",
                  example("chat.run.completed")),
            field("status", &View::status, "`pending` while further attempts follow."),
            field("attempts", &View::attempts, "The newest 30 attempts, oldest first."),
            field("next_attempt_at", &View::next_attempt_at, "When it is tried next.", moment),
            field("created_at", &View::created_at, "When it was queued.",
                  example("2026-01-31T09:30:00.000Z"), moment));
    }
};

struct DeliveryPath {
    std::string webhook;
    std::string delivery;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("webhook", &DeliveryPath::webhook, "The id of a webhook.",
                                example("whk_01J9ZQ8R0000000000000000AB")),
                          field("delivery", &DeliveryPath::delivery, "The id of a delivery.",
                                example("dlv_01J9ZQ8R0000000000000000AB")));
    }
};

struct DeliveriesQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<DeliveryStatus> status;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = DeliveriesQuery;
        return std::tuple(page_limit(&This::limit), page_after(&This::after),
                          field("status", &This::status, "Only deliveries of this status."));
    }
};

struct ReplayBody {
    std::int64_t after = 0;
    std::optional<std::int64_t> until;
    bool only_failed = true;

    static constexpr fields::SchemaInfo schema_info{"Replay", "The events to send again."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ReplayBody;
        return std::tuple(
            field("after", &This::after, "Events of the log after this number.",
                  range(0, 999'999'999'999'999.0), defaults_to(0)),
            field("until", &This::until, "Up to this number. Absent: up to the newest.",
                  range(1, 999'999'999'999'999.0)),
            field("only_failed", &This::only_failed,
                  "Only events that were not delivered, including those of the time when the "
                  "webhook was disabled.",
                  defaults_to(true)));
    }
};

struct ReplayView {
    std::string object = "webhook.replay";
    std::int64_t count = 0;
    std::int64_t until = 0;

    static constexpr fields::SchemaInfo schema_info{"ReplayResult",
                                                    "The events that are sent again."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = ReplayView;
        return std::tuple(
            field("object", &View::object, "Always `webhook.replay`.", one_of("webhook.replay")),
            field("count", &View::count, "Deliveries that were queued, at most 10,000.",
                  example(100)),
            field("until", &View::until,
                  "The number of the last event that was examined. If it is less than requested, "
                  "replay again after it.",
                  example(142)));
    }
};

}  // namespace parley::api
