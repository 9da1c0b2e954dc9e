#include "webhook/couriers_for_tests.hpp"
#include "webhook/retry.hpp"

namespace parley::webhook {
namespace {

// Only one delivery is sent at a time.
class OnePlaceTest : public CouriersTest {
protected:
    OnePlaceTest() : CouriersTest({.all = 1, .of_host = 1, .of_endpoint = 1}) {}
};

TEST_F(CouriersTest, SendEachEventOnce)
{
    const store::Webhook webhook = created(own_url(), true);
    for (int i = 0; i < 5; ++i) happen();
    wait_for(5);
    until([&] { return couriers->figures().succeeded == 5; });
    const auto first = webhook.cursor + 1;
    std::vector<std::string> expected;
    for (int i = 0; i < 5; ++i) expected.push_back("{\"n\":" + std::to_string(first + i) + "}");
    EXPECT_EQ(bodies(), expected);
    EXPECT_EQ(couriers->figures().failed, 0U);
    EXPECT_EQ(couriers->figures().endpoints, 1U);
}

TEST_F(CouriersTest, TryAgainAtThePublishedTimes)
{
    status = 500;
    const store::Webhook webhook = created(own_url());
    happen();
    for (std::size_t tries = 1; tries < most_tries; ++tries) {
        const store::Delivery now = settled(webhook, tries);
        const auto ended = now.attempts.back().at + now.attempts.back().duration;
        const auto least = wait_before_next_try(tries, std::nullopt, 0).value();
        ASSERT_TRUE(now.next_attempt_at);
        EXPECT_GE(*now.next_attempt_at, ended + least);
        EXPECT_LE(*now.next_attempt_at, ended + least + least / 10);
        // One moment earlier nothing is due.
        clock.set(*now.next_attempt_at - 1ms);
        EXPECT_TRUE(block_on(store->deliveries().due(webhook.id, false, clock.now(), 1))
                        .value()
                        .deliveries.empty());
        clock.set(*now.next_attempt_at);
        couriers->wake(webhook.id, owner);
    }
    const store::Delivery last = settled(webhook, most_tries);
    EXPECT_EQ(last.status, DeliveryStatus::failed);
    EXPECT_FALSE(last.next_attempt_at);
    EXPECT_EQ(bodies(), std::vector<std::string>(most_tries, last.body));
}

TEST_F(CouriersTest, WaitAsLongAsTheReceiverAsks)
{
    status = 503;
    retry_after = 600;
    const store::Webhook webhook = created(own_url());
    happen();
    const store::Delivery now = settled(webhook, 1);
    EXPECT_GE(*now.next_attempt_at, now.attempts[0].at + 600s);
    EXPECT_LE(*now.next_attempt_at, now.attempts[0].at + now.attempts[0].duration + 660s);
}

TEST_F(CouriersTest, DisableWhatIsGone)
{
    status = 410;
    const store::Webhook webhook = created(own_url());
    happen();
    const auto reason = [&] {
        return block_on(store->webhooks().find(owner, webhook.id)).value().disabled_reason;
    };
    until([&] { return reason().has_value() && couriers->figures().endpoints == 0; });
    EXPECT_EQ(reason(), DisabledReason::gone);
    happen();
    EXPECT_EQ(bodies().size(), 1U);
}

TEST_F(CouriersTest, AFailureHoldsUpOnlyAnOrderedEndpoint)
{
    const store::Webhook webhook = created(own_url(), true);
    const auto body = [&](int i) { return "{\"n\":" + std::to_string(webhook.cursor + i) + "}"; };
    failing = {body(2)};
    for (int i = 0; i < 3; ++i) happen();
    until([&] { return couriers->figures().failed == 1; });
    EXPECT_EQ(bodies(), (std::vector{body(1), body(2)}));
    {
        const std::lock_guard lock(mutex);
        failing.clear();
    }
    clock.advance(10s);
    couriers->wake(webhook.id, owner);
    wait_for(4);
    EXPECT_EQ(bodies(), (std::vector{body(1), body(2), body(2), body(3)}));
}

TEST_F(CouriersTest, StartFirstTriesInOrderWithSnapshots)
{
    const store::Webhook webhook = created(own_url(), false, WebhookPayload::full);
    until([&] { return couriers->figures().endpoints == 1; });
    std::vector<std::string> expected;
    for (int i = 1; i <= 3; ++i)
        expected.push_back("{\"n\":" + std::to_string(webhook.cursor + i) + "}full");
    for (int i = 0; i < 3; ++i) happen();
    wait_for(3);
    EXPECT_EQ(bodies(), expected);
}

TEST_F(CouriersTest, SendNothingWhileASnapshotCannotBeRead)
{
    payloads.failures = 1;
    const store::Webhook webhook = created(own_url(), false, WebhookPayload::full);
    happen();
    until([&] { return payloads.failures == 0; });
    until([&] {
        clock.advance(2s);  // It may not have chosen the time of its next look yet.
        return !bodies().empty();
    });
    EXPECT_EQ(settled(webhook, 1).status, DeliveryStatus::succeeded);
    EXPECT_EQ(bodies().size(), 1U);
    EXPECT_TRUE(bodies()[0].ends_with("full"));
}

TEST_F(CouriersTest, ARedeliveryIsNotLostWhileTheLastTryRuns)
{
    status = 500;
    const store::Webhook webhook = created(own_url());
    happen();
    settled(webhook, 1);
    const auto again = [&] {
        ASSERT_TRUE(
            block_on(store->deliveries().redeliver(owner, webhook.id, only_delivery(webhook).id)));
    };
    {
        const std::lock_guard lock(mutex);
        when_asked = again;  // While the second try runs.
    }
    clock.advance(10s);
    couriers->wake(webhook.id, owner);
    const store::Delivery now = settled(webhook, 3);
    EXPECT_EQ(now.tries, 1) << "it has all its tries again";
}

// As in a server that shares the store with the one that sends, and becomes that one.
TEST_F(CouriersTest, AServerThatMayNotSendWaitsForItsTurn)
{
    created(own_url());
    happen();
    wait_for(1);
    sends = false;
    happen();
    const store::Webhook silent = created(own_url());
    std::this_thread::sleep_for(1200ms);  // Longer than a look.
    EXPECT_EQ(bodies().size(), 1U);
    sends = true;
    wait_for(2);
    happen();
    wait_for(4);
    until([&] { return deliveries(silent).size() == 1; });
    EXPECT_EQ(bodies().size(), 4U);
}

// While the snapshot is read, another server begins to send.
TEST_F(CouriersTest, ADeliveryThatWasReadInTimeIsNotSentByTwoServers)
{
    // First for the event, then for the snapshot.
    payloads.meanwhile = [this] { payloads.meanwhile = [this] { sends = false; }; };
    created(own_url(), false, WebhookPayload::full);
    happen();
    until([&] { return !sends; });
    std::this_thread::sleep_for(100ms);
    EXPECT_TRUE(bodies().empty());
    sends = true;
    wait_for(1);
}

// Another server has created it: this one has not been told which.
TEST_F(CouriersTest, FindWebhooksOfOtherServers)
{
    kept(own_url());
    happen();
    couriers->wake_all_of({owner});
    wait_for(1);
}

// A server that was killed had told nobody of its last event.
TEST_F(CouriersTest, FindEventsThatTheyWereNotToldOf)
{
    const store::Webhook webhook = created(own_url());
    happen();
    settled(webhook, 1);
    std::this_thread::sleep_for(200ms);  // Until it does not look again by itself.
    store->events().signal().observe(nullptr);
    happen();
    couriers->wake_all();
    wait_for(2);
}

TEST_F(OnePlaceTest, EndpointsGetItInTheOrderInWhichTheyHaveSomethingToSend)
{
    const Hanging hanging;
    const store::Webhook first = created(hanging.url());
    happen();
    until([&] { return couriers->figures().sending == 1; });
    std::vector<store::Webhook> waiting;
    for (int i = 0; i < 3; ++i) {
        waiting.push_back(created(own_url()));
        until([&] { return couriers->figures().endpoints == waiting.size() + 1; });
    }
    // The last one has something to send first.
    for (auto each = waiting.rbegin(); each != waiting.rend(); ++each) {
        test(*each);
        std::this_thread::sleep_for(20ms);
    }
    sender_aborts();
    wait_for(3);
    EXPECT_EQ(bodies(), (std::vector{waiting[2].id, waiting[1].id, waiting[0].id}));
}

TEST_F(CouriersTest, EndpointsThatHangDoNotDelayOthers)
{
    const Hanging hanging;
    for (int i = 0; i < 100; ++i) created(hanging.url() + std::to_string(i));
    for (int i = 0; i < 4; ++i) happen();
    until([&] { return couriers->figures().sending >= 32; });
    created(own_url());
    const auto begun = std::chrono::steady_clock::now();
    happen();
    wait_for(1);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s) << "they take 15 s";
    EXPECT_LE(couriers->figures().sending, 256U);
}

TEST_F(CouriersTest, EndpointsOfOneUserThatHangDoNotDelayOthersAtTheSameHost)
{
    holds = true;
    for (int i = 0; i < 40; ++i) created(own_url() + std::to_string(i));
    for (int i = 0; i < 4; ++i) happen();
    until([&] { return couriers->figures().sending >= 32; });
    add_user("usr_2", "ben");
    const store::Webhook his = kept_for({"usr_2", false}, own_url());
    test(his);
    until([&] { return std::ranges::count(bodies(), his.id) == 1; });
    EXPECT_LE(couriers->figures().sending, 33U);
    holds = false;
}

TEST_F(CouriersTest, RemoveNoOldDeliveriesWhileTheClocksDisagree)
{
    const store::Webhook webhook = created(own_url());
    happen();
    settled(webhook, 1);
    clock.advance(2h);
    clock.set(clock.now() + std::chrono::days(31));
    time.look();
    clock.advance(11min);  // Another sweep is due.
    const auto look_again = [&] { couriers->wake_all_of({owner}); };
    const int asked = asked_to_sweep;
    until([&] {
        look_again();
        return asked_to_sweep > asked + 1;
    });
    EXPECT_EQ(deliveries(webhook).size(), 1U);
    for (std::chrono::minutes passed = 0min; passed <= 24h; passed += 1min) {
        clock.advance(1min);
        time.look();
    }
    until([&] {
        look_again();
        return deliveries(webhook).empty();
    });
}

}  // namespace
}  // namespace parley::webhook
