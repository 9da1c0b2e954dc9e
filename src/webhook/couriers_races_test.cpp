// Tests of couriers for which something changes while they work.
#include "webhook/couriers_for_tests.hpp"

namespace parley::webhook {
namespace {

TEST_F(CouriersTest, AChangeWhileABodyIsMadeCounts)
{
    store::Webhook webhook = created("http://127.0.0.1:1/", false, WebhookPayload::full);
    // The event first, then the body.
    payloads.meanwhile = [&] {
        payloads.meanwhile = [&] {
            webhook.url = own_url();
            ASSERT_TRUE(
                block_on(store->webhooks().change({.webhook = webhook, .seen = webhook.revision})));
        };
    };
    happen();
    wait_for(1);
    EXPECT_EQ(settled(webhook, 1).status, DeliveryStatus::succeeded)
        << "nothing was sent to the old URL";
}

// The clock stands still: the store is not looked at again only because time passes.
TEST_F(CouriersTest, SendToAUserWhoIsEnabledAgain)
{
    const store::Webhook webhook = created(own_url());
    happen();
    wait_for(1);
    const auto set_disabled = [&](bool disabled) {
        ASSERT_TRUE(block_on(store->accounts().change_user(owner.user, {.disabled = disabled})));
        couriers->user_changed(owner.user);
    };
    set_disabled(true);
    happen();
    until([&] { return couriers->figures().endpoints == 0; });
    set_disabled(false);
    wait_for(2);
    happen();
    wait_for(3);
    EXPECT_EQ(deliveries(webhook).size(), 3U);
}

// As after a crash: the couriers do not hear that it was disabled.
TEST_F(CouriersTest, GiveUpAllThatIsPendingForADisabledEndpoint)
{
    sends = false;
    const store::Webhook webhook = kept(own_url());
    std::vector<store::Delivery> many;
    for (int i = 1; i <= 1200; ++i)
        many.push_back({.id = new_id("dlv", clock.now()),
                        .webhook = webhook.id,
                        .event = new_id("evt", clock.now()),
                        .event_type = "chat.session.created",
                        .number = webhook.cursor + i,
                        .body = "{}",
                        .created_at = clock.now()});
    ASSERT_TRUE(block_on(store->deliveries().dispatch({.webhook = webhook.id,
                                                       .revision = webhook.revision,
                                                       .seen = webhook.cursor,
                                                       .new_cursor = webhook.cursor + 1200,
                                                       .deliveries = std::move(many)}))
                    .value());
    store::Webhook disabled = block_on(store->webhooks().find(owner, webhook.id)).value();
    disabled.state = WebhookState::disabled;
    disabled.disabled_reason = DisabledReason::user;
    ASSERT_TRUE(
        block_on(store->webhooks().change({.webhook = disabled, .seen = disabled.revision})));
    const auto is_pending = [&] {
        return !block_on(store->deliveries().list(owner, webhook.id, DeliveryStatus::pending,
                                                  std::nullopt, 1))
                    .value()
                    .items.empty();
    };
    EXPECT_TRUE(is_pending());
    sends = true;
    couriers->wake_all();  // It may not have noticed that it may not send.
    until([&] { return !is_pending() && couriers->figures().endpoints == 0; });
    EXPECT_TRUE(bodies().empty());
}

// It was created while another server sent.
TEST_F(CouriersTest, AServerThatBeginsToSendFindsNewWebhooks)
{
    created(own_url());
    happen();
    wait_for(1);
    sends = false;
    std::this_thread::sleep_for(3s);  // Looks are every second.
    const store::Webhook unheard = kept(own_url());
    happen();
    sends = true;
    wait_for(3);
    until([&] { return deliveries(unheard).size() == 1; });
}

TEST_F(CouriersTest, ABugEndsOnlyItsAttempt)
{
    faulty_clock.throws = true;
    const store::Webhook webhook = created(own_url());
    happen();
    until([&] { return !faulty_clock.throws; });
    until([&] {
        clock.advance(61s);  // It may not have chosen the time of the next attempt yet.
        return !bodies().empty();
    });
    EXPECT_EQ(settled(webhook, 1).status, DeliveryStatus::succeeded);
}

TEST_F(CouriersTest, WhatIsBeingSentIsNotSentASecondTime)
{
    holds = true;
    const store::Webhook webhook = created(own_url());
    happen();
    wait_for(1);
    const auto set = [&](WebhookState state) {
        store::Webhook now = block_on(store->webhooks().find(owner, webhook.id)).value();
        now.state = state;
        ASSERT_TRUE(block_on(store->webhooks().change({.webhook = now, .seen = now.revision})));
        couriers->wake(webhook.id, owner);
    };
    set(WebhookState::disabled);
    // Those that were woken before the other one have been looked after when it has sent.
    const store::Webhook other = created(own_url());
    happen();
    wait_for(2);
    set(WebhookState::active);
    const std::string first = deliveries(webhook).back().id;
    ASSERT_TRUE(block_on(store->deliveries().redeliver(owner, webhook.id, first)));
    happen();
    wait_for(4);  // The new event goes to both.
    holds = false;
    until([&] { return couriers->figures().sending == 0; });
    EXPECT_EQ(couriers->figures().succeeded, 4U);
    EXPECT_EQ(bodies().size(), 4U);
}

}  // namespace
}  // namespace parley::webhook
