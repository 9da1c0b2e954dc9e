// The fixture of the contract tests of webhooks and their deliveries.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

class WebhookContractTest : public ChatContractTest {
protected:
    using ChatContractTest::ChatContractTest;

    static std::vector<std::string> ids_of(const std::vector<Delivery>& deliveries)
    {
        std::vector<std::string> ids;
        for (const Delivery& each : deliveries) ids.push_back(each.id);
        return ids;
    }
    Webhooks& webhooks() { return store->webhooks(); }
    Deliveries& deliveries() { return store->deliveries(); }

    Webhook new_webhook(const Owner& owner)
    {
        const TimePoint now = later();
        return {.id = new_id("whk", now),
                .owner = owner,
                .url = "https://example.com/hook",
                .event_types = "chat.*,automation.run.failed",
                .scopes = 6,
                .payload = WebhookPayload::full,
                .description = "Yours",
                .metadata = R"({"a":"b"})",
                .secret = {.sealed = "sealed\0bytes"s, .hint = "whsec_…abc="},
                .created_at = now,
                .updated_at = now};
    }
    Webhook created(const Webhook& wanted)
    {
        return block_on(webhooks().create(wanted, 10, std::nullopt, {})).value().webhook;
    }
    Webhook created_for(const Owner& owner) { return created(new_webhook(owner)); }
    Webhook found(const Webhook& webhook)
    {
        return block_on(webhooks().find(webhook.owner, webhook.id)).value();
    }
    Result<Webhook> change(Webhook wanted)
    {
        const std::int64_t seen = wanted.revision;
        wanted.updated_at = later();
        return block_on(webhooks().change({.webhook = std::move(wanted), .seen = seen}));
    }
    Webhook with_state(const Webhook& webhook, WebhookState state)
    {
        Webhook wanted = found(webhook);
        wanted.state = state;
        wanted.disabled_reason.reset();
        if (state == WebhookState::disabled) wanted.disabled_reason = DisabledReason::user;
        return change(wanted).value();
    }
    using ChatContractTest::created;
    using ChatContractTest::found;

    Delivery new_delivery(const Webhook& webhook, std::int64_t number)
    {
        const TimePoint now = later();
        return {.id = new_id("dlv", now),
                .webhook = webhook.id,
                .event = new_id("evt", now),
                .event_type = "chat.run.completed",
                .number = number,
                .body = R"({"object":"event"})",
                .subject = "run_1",
                .parent = "ses_1",
                .created_at = now};
    }
    // Deliveries of the next events, which need not be in the log.
    std::vector<Delivery> dispatched(const Webhook& webhook, int count)
    {
        const std::int64_t cursor = found(webhook).cursor;
        std::vector<Delivery> made;
        for (int i = 1; i <= count; ++i) made.push_back(new_delivery(webhook, cursor + i));
        EXPECT_TRUE(dispatch(found(webhook), cursor + count, made));
        return made;
    }
    // For the webhook as it was seen.
    bool dispatch(const Webhook& webhook, std::int64_t new_cursor,
                  const std::vector<Delivery>& made)
    {
        return block_on(deliveries().dispatch({.webhook = webhook.id,
                                               .revision = webhook.revision,
                                               .seen = webhook.cursor,
                                               .new_cursor = new_cursor,
                                               .deliveries = made}))
            .value();
    }
    Delivery found(const Webhook& webhook, const Delivery& delivery)
    {
        return block_on(deliveries().find(webhook.owner, webhook.id, delivery.id)).value();
    }
    std::vector<std::string> due(const Webhook& webhook, std::size_t most = 100)
    {
        std::vector<std::string> ids;
        for (const Delivery& each :
             block_on(deliveries().due(webhook.id, webhook.ordered, clock.now(), most))
                 .value()
                 .deliveries)
            ids.push_back(each.id);
        return ids;
    }
    std::optional<TimePoint> next_at(const Webhook& webhook)
    {
        return block_on(deliveries().due(webhook.id, webhook.ordered, clock.now(), 100))
            .value()
            .next_at;
    }

    DeliveryEnd success(const Delivery& delivery)
    {
        return {.webhook = delivery.webhook,
                .delivery = delivery.id,
                .attempt = {.at = later(), .status = 204, .duration = 5ms, .response = ""},
                .succeeded = true};
    }
    DeliveryEnd failure(const Delivery& delivery, std::optional<std::chrono::seconds> wait)
    {
        DeliveryEnd end{
            .webhook = delivery.webhook,
            .delivery = delivery.id,
            .attempt = {.at = later(), .duration = 7ms, .error = DeliveryError::connection_refused},
            .patience = 5 * 24h};
        if (wait) end.wait = *wait;
        return end;
    }
    std::optional<Webhook> settle(const DeliveryEnd& end)
    {
        return block_on(deliveries().settle(end)).value();
    }
    std::size_t pending(const Webhook& webhook)
    {
        return block_on(deliveries().list(webhook.owner, webhook.id, DeliveryStatus::pending,
                                          std::nullopt, 10'000))
            .value()
            .items.size();
    }
    // Some of them. True if others may be pending still.
    bool give_up(const Webhook& webhook)
    {
        return block_on(deliveries().give_up(webhook.id, later())).value();
    }
    std::vector<std::string> giving_up()
    {
        std::vector<std::string> ids;
        for (const ActiveWebhook& each : block_on(webhooks().giving_up(10)).value())
            ids.push_back(each.id);
        return ids;
    }
    DeliveryStatus status_of(const Webhook& webhook, const Delivery& delivery)
    {
        return found(webhook, delivery).status;
    }

    std::vector<EventType> types_of(const Owner& owner)
    {
        std::vector<EventType> types;
        for (const Event& event :
             block_on(store->events().read(owner, 0, EventTypes::all(), 1000)).value().events)
            types.push_back(event.type);
        return types;
    }
};

}  // namespace parley::store
