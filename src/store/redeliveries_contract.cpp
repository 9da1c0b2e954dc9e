// The contract tests of deliveries to webhooks that are sent again.
#include "store/webhook_contract_fixture.hpp"

namespace parley::store {
namespace {

class RedeliveriesContract : public WebhookContractTest {
protected:
    Replayed replay(const Webhook& webhook, std::int64_t after, std::int64_t until,
                    bool only_failed = true, std::size_t most = 100)
    {
        return block_on(deliveries().replay({.owner = webhook.owner,
                                             .webhook = webhook.id,
                                             .after = after,
                                             .until = until,
                                             .only_failed = only_failed,
                                             .most = most}))
            .value();
    }
};

TEST_F(RedeliveriesContract, AreSentAgain)
{
    const Webhook made = created_for(anas);
    const Delivery delivery = dispatched(made, 1).front();
    settle(failure(delivery, std::nullopt));
    EXPECT_TRUE(due(made).empty());
    const Delivery again = block_on(deliveries().redeliver(anas, made.id, delivery.id)).value();
    EXPECT_EQ(again.status, DeliveryStatus::pending);
    EXPECT_EQ(again.tries, 0);
    EXPECT_EQ(again.event, delivery.event);
    EXPECT_EQ(again.attempts.size(), 1U);
    EXPECT_EQ(due(made), std::vector{delivery.id});
    EXPECT_EQ(block_on(deliveries().redeliver(anas, made.id, "dlv_none")).error().code,
              Errc::not_found);
}

TEST_F(RedeliveriesContract, AreSentAgainThoughTheLastTryFailsMeanwhile)
{
    const Webhook made = created_for(anas);
    const Delivery delivery = dispatched(made, 1).front();
    settle(failure(delivery, 5s));
    ASSERT_TRUE(block_on(deliveries().redeliver(anas, made.id, delivery.id)));
    DeliveryEnd last = failure(delivery, std::nullopt);
    last.tries = 1;
    settle(last);
    EXPECT_EQ(status_of(made, delivery), DeliveryStatus::pending);
    EXPECT_EQ(due(made), std::vector{delivery.id});
    EXPECT_EQ(found(made, delivery).attempts.size(), 2U);
    last.tries = 0;
    settle(last);
    EXPECT_EQ(status_of(made, delivery), DeliveryStatus::failed);
}

TEST_F(RedeliveriesContract, AreReplayed)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 5);  // Events 2 to 6.
    settle(success(all[0]));
    for (const std::size_t i : {1, 2, 3}) settle(failure(all[i], std::nullopt));
    EXPECT_EQ(replay(made, 4, 6).count, 1U);
    EXPECT_EQ(status_of(made, all[3]), DeliveryStatus::pending);
    EXPECT_EQ(status_of(made, all[2]), DeliveryStatus::failed);
    const Replayed some = replay(made, 0, 6, true, 1);
    EXPECT_EQ(some.count, 1U);
    EXPECT_EQ(some.until, 3);
    EXPECT_EQ(replay(made, some.until, 6).count, 1U);
    EXPECT_EQ(replay(made, 0, 6).count, 0U);
    EXPECT_EQ(replay(made, 0, 6, false).count, 1U);  // The one that had succeeded.
    EXPECT_EQ(due(made), ids_of(all));

    // An event of the time while it was disabled has no delivery yet.
    Delivery missing = new_delivery(made, 7);
    const Replay wanted{.owner = anas,
                        .webhook = made.id,
                        .deliveries = {missing},
                        .after = 6,
                        .until = 7,
                        .most = 5};
    EXPECT_EQ(block_on(deliveries().replay(wanted)).value().count, 1U);
    EXPECT_EQ(block_on(deliveries().replay(wanted)).value().count, 0U);
    EXPECT_EQ(due(made).back(), missing.id);
}

}  // namespace
}  // namespace parley::store
