// The contract tests of deliveries to webhooks.
#include "store/webhook_contract_fixture.hpp"

namespace parley::store {
namespace {

class DeliveriesContract : public WebhookContractTest {
protected:
    Webhook ordered_webhook()
    {
        Webhook wanted = new_webhook(anas);
        wanted.ordered = true;
        return created(wanted);
    }
};

TEST_F(DeliveriesContract, AreMadeOnceAndSurvive)
{
    const Webhook made = created_for(anas);
    Delivery wanted = new_delivery(made, 2);
    ASSERT_TRUE(dispatch(made, 5, {wanted}));
    EXPECT_EQ(found(made).cursor, 5);
    // Another courier has seen the same cursor.
    Delivery again = new_delivery(made, 2);
    again.event = wanted.event;
    EXPECT_FALSE(dispatch(made, 5, {again}));
    ASSERT_TRUE(dispatch(found(made), 6, {again}));
    if (keeps()) reopen();
    EXPECT_EQ(due(made), std::vector{wanted.id});
    wanted.next_attempt_at = wanted.created_at;
    EXPECT_EQ(found(made, wanted), wanted);
}

TEST_F(DeliveriesContract, AreMadeForTheWebhookAsItIs)
{
    const Webhook seen = created_for(anas);
    Webhook wanted = seen;
    wanted.event_types = "webhook.*";
    const Webhook now = change(wanted).value();
    EXPECT_FALSE(dispatch(seen, 5, {})) << "events of the new types would be lost";
    EXPECT_EQ(found(seen).cursor, seen.cursor);
    EXPECT_TRUE(dispatch(now, 5, {}));
}

TEST_F(DeliveriesContract, NewOnesDoNotDelayRetries)
{
    const Webhook made = created_for(anas);
    const auto first = dispatched(made, 2);
    settle(failure(first[0], 5s));
    clock.advance(6s);
    const auto second = dispatched(made, 2);
    EXPECT_EQ(due(made), (std::vector{first[1].id, first[0].id, second[0].id, second[1].id}));
    EXPECT_EQ(due(made, 2), (std::vector{first[1].id, first[0].id}));
    settle(success(first[1]));
    EXPECT_EQ(due(made, 1), std::vector{first[0].id});
}

TEST_F(DeliveriesContract, AreDueInTheOrderOfTheLogAndRetriesLater)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 4);
    EXPECT_EQ(due(made), ids_of(all));
    EXPECT_EQ(due(made, 2), (std::vector{all[0].id, all[1].id}));
    EXPECT_FALSE(next_at(made));
    settle(failure(all[0], 5s));
    settle(success(all[1]));
    EXPECT_EQ(due(made), (std::vector{all[2].id, all[3].id}));
    EXPECT_EQ(next_at(made), found(made, all[0]).next_attempt_at);
    clock.advance(6s);
    EXPECT_EQ(due(made), (std::vector{all[2].id, all[3].id, all[0].id}));
}

TEST_F(DeliveriesContract, OfAnOrderedWebhookWaitForTheFirst)
{
    const Webhook made = ordered_webhook();
    const auto all = dispatched(made, 2);
    EXPECT_EQ(due(made), std::vector{all[0].id});
    settle(failure(all[0], 5s));
    EXPECT_TRUE(due(made).empty());
    EXPECT_EQ(next_at(made), found(made, all[0]).next_attempt_at);
    // A test is not in the log: it does not wait.
    const Delivery test = new_delivery(made, 0);
    ASSERT_TRUE(block_on(deliveries().add(anas, test)));
    EXPECT_EQ(due(made), std::vector{test.id});
    settle(success(test));
    clock.advance(6s);
    EXPECT_EQ(due(made), std::vector{all[0].id});
    settle(failure(all[0], std::nullopt));  // Its tries are spent.
    EXPECT_EQ(due(made), std::vector{all[1].id});
}

TEST_F(DeliveriesContract, OfAnOrderedWebhookDoNotWaitForATestThatFails)
{
    const Webhook made = ordered_webhook();
    const Delivery test = new_delivery(made, 0);
    ASSERT_TRUE(block_on(deliveries().add(anas, test)));
    settle(failure(test, 60s));
    EXPECT_TRUE(due(made).empty());
    const auto test_at = found(made, test).next_attempt_at;
    EXPECT_EQ(next_at(made), test_at);
    const auto all = dispatched(made, 2);
    EXPECT_EQ(due(made), std::vector{all[0].id});
    settle(failure(all[0], 5s));
    EXPECT_TRUE(due(made).empty());
    EXPECT_EQ(next_at(made), found(made, all[0]).next_attempt_at);
    settle(failure(all[0], 600s));
    EXPECT_EQ(next_at(made), test_at);
    clock.advance(61s);
    EXPECT_EQ(due(made), std::vector{test.id});
}

TEST_F(DeliveriesContract, KeepTheirAttempts)
{
    const Webhook made = created_for(anas);
    const Delivery delivery = dispatched(made, 1).front();
    const DeliveryEnd failed = failure(delivery, 5s);
    EXPECT_EQ(settle(failed)->failing_since, failed.attempt.at);
    Delivery now = found(made, delivery);
    EXPECT_EQ(now.status, DeliveryStatus::pending);
    EXPECT_EQ(now.tries, 1);
    EXPECT_EQ(now.next_attempt_at, failed.attempt.at + failed.attempt.duration + 5s);
    DeliveryEnd done = success(delivery);
    done.attempt.response = "thanks";
    const auto webhook = settle(done);
    EXPECT_EQ(webhook->last_success_at, done.attempt.at);
    EXPECT_EQ(webhook->last_failure_at, failed.attempt.at);
    EXPECT_FALSE(webhook->failing_since);
    EXPECT_EQ(webhook->revision, made.revision);
    now = found(made, delivery);
    EXPECT_EQ(now.status, DeliveryStatus::succeeded);
    EXPECT_FALSE(now.next_attempt_at);
    EXPECT_EQ(now.attempts, (std::vector{failed.attempt, done.attempt}));
}

TEST_F(DeliveriesContract, KeepOnlyTheNewestAttempts)
{
    const Webhook made = created_for(anas);
    const Delivery delivery = dispatched(made, 1).front();
    for (int i = 0; i < attempts_kept + 3; ++i) {
        DeliveryEnd end = success(delivery);
        end.attempt.status = 200 + i;
        settle(end);
    }
    const auto attempts = found(made, delivery).attempts;
    ASSERT_EQ(attempts.size(), static_cast<std::size_t>(attempts_kept));
    EXPECT_EQ(attempts.front().status, 203);
    EXPECT_EQ(attempts.back().status, 200 + attempts_kept + 2);
}

TEST_F(DeliveriesContract, DisableAWebhookThatIsGone)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 2);
    DeliveryEnd end = failure(all[0], 5s);
    end.disables = DisabledReason::gone;
    const auto webhook = settle(end);
    EXPECT_EQ(webhook->state, WebhookState::disabled);
    EXPECT_EQ(webhook->disabled_reason, DisabledReason::gone);
    EXPECT_EQ(webhook->revision, made.revision + 1);
    EXPECT_EQ(status_of(made, all[0]), DeliveryStatus::failed);
    EXPECT_EQ(status_of(made, all[1]), DeliveryStatus::failed);
    EXPECT_EQ(types_of(anas).back(), EventType::webhook_disabled);
    // One that was under way ends: it is not disabled again.
    EXPECT_EQ(settle(failure(all[1], 5s))->revision, made.revision + 1);
    EXPECT_EQ(status_of(made, all[1]), DeliveryStatus::failed);
}

TEST_F(DeliveriesContract, OfAWebhookThatIsGoneAreGivenUpSomeAtATime)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 1200);
    DeliveryEnd end = failure(all[0], 5s);
    end.disables = DisabledReason::gone;
    EXPECT_EQ(settle(end)->state, WebhookState::disabled);
    EXPECT_EQ(pending(made), 700U);
    // One that was under way ends.
    EXPECT_EQ(settle(failure(all[1199], 5s))->revision, made.revision + 1);
    EXPECT_FALSE(block_on(deliveries().endpoint(made.id)).value());
    EXPECT_TRUE(give_up(made));
    EXPECT_FALSE(give_up(made));
    EXPECT_EQ(pending(made), 0U);
    EXPECT_EQ(status_of(made, all[1199]), DeliveryStatus::failed);
    EXPECT_FALSE(found(made, all[1199]).next_attempt_at);
}

TEST_F(DeliveriesContract, DisableAWebhookThatOnlyFails)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 3);
    settle(failure(all[0], 5s));
    clock.advance(4 * 24h);
    settle(success(all[1]));  // Counts anew from the next failure.
    settle(failure(all[0], 5s));
    clock.advance(5 * 24h - 2ms);
    EXPECT_EQ(settle(failure(all[0], 5s))->state, WebhookState::active);
    clock.advance(2ms);
    const auto webhook = settle(failure(all[2], 5s));
    EXPECT_EQ(webhook->state, WebhookState::disabled);
    EXPECT_EQ(webhook->disabled_reason, DisabledReason::failures);
}

TEST_F(DeliveriesContract, AreListedByStatus)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 5);
    settle(success(all[1]));
    settle(failure(all[2], std::nullopt));
    const auto list = [&](std::optional<DeliveryStatus> status, std::optional<std::int64_t> after,
                          std::size_t limit) {
        return block_on(deliveries().list(anas, made.id, status, after, limit)).value();
    };
    const auto first = list(std::nullopt, std::nullopt, 3);
    EXPECT_EQ(ids_of(first.items), (std::vector{all[4].id, all[3].id, all[2].id}));
    EXPECT_EQ(first.items[2].attempts.size(), 1U);
    EXPECT_EQ(ids_of(list(std::nullopt, first.next, 3).items), (std::vector{all[1].id, all[0].id}));
    EXPECT_EQ(ids_of(list(DeliveryStatus::succeeded, std::nullopt, 3).items),
              std::vector{all[1].id});
    EXPECT_EQ(ids_of(list(DeliveryStatus::failed, std::nullopt, 3).items), std::vector{all[2].id});
    EXPECT_EQ(ids_of(list(DeliveryStatus::pending, std::nullopt, 3).items),
              (std::vector{all[4].id, all[3].id, all[0].id}));
}

TEST_F(DeliveriesContract, SayNothingAboutAnotherUrl)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 2);
    Webhook moved = found(made);
    moved.url = "https://example.com/elsewhere";
    ASSERT_TRUE(change(moved));
    DeliveryEnd gone = failure(all[0], 5s);
    gone.disables = DisabledReason::gone;
    gone.url = made.url;
    EXPECT_EQ(settle(gone)->state, WebhookState::active);
    EXPECT_FALSE(found(made).failing_since);
    EXPECT_EQ(found(made, all[0]).tries, 1);
    gone = failure(all[1], 5s);
    gone.disables = DisabledReason::gone;
    gone.url = moved.url;
    EXPECT_EQ(settle(gone)->state, WebhookState::disabled);
}

TEST_F(DeliveriesContract, KeepTheRestOfTheirWaitWhenATestClockEnds)
{
    const Webhook made = created_for(anas_test);
    const auto all = dispatched(made, 2);
    const TimePoint test_time = clock.now() + 1000h;
    const auto set = [&](std::optional<TimePoint> seen, std::optional<TimePoint> to) {
        return block_on(store->ledger().set_test_clock(
            {.owner = anas_test, .seen = seen, .to = to, .now = clock.now()}));
    };
    ASSERT_TRUE(set(std::nullopt, test_time));
    settle(failure(all[0], 5s));
    EXPECT_EQ(found(made, all[0]).next_attempt_at, test_time + 5s);
    ASSERT_TRUE(set(test_time, std::nullopt));
    EXPECT_EQ(next_at(made), clock.now() + 5s);
    EXPECT_EQ(due(made), std::vector{all[1].id});
    // An attempt that began under the clock and ends in real time.
    const DeliveryEnd late = failure(all[1], 5s);
    settle(late);
    EXPECT_EQ(found(made, all[1]).next_attempt_at, late.attempt.at + late.attempt.duration + 5s);
}

TEST_F(DeliveriesContract, AreRemovedAfterTheirTime)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 4);
    settle(success(all[0]));
    settle(failure(all[1], std::nullopt));
    const TimePoint then = later();
    clock.advance(1h);
    settle(success(all[2]));
    EXPECT_EQ(block_on(deliveries().sweep(then + 1s, 1)).value(), 1U);
    EXPECT_EQ(block_on(deliveries().sweep(then + 1s, 10)).value(), 1U);
    EXPECT_EQ(block_on(deliveries().sweep(then + 1s, 10)).value(), 0U);
    EXPECT_EQ(status_of(made, all[2]), DeliveryStatus::succeeded);
    EXPECT_EQ(status_of(made, all[3]), DeliveryStatus::pending);
}

}  // namespace
}  // namespace parley::store
