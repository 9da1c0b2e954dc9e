// The contract tests of webhooks.
#include "store/webhook_contract_fixture.hpp"

#include <algorithm>

namespace parley::store {
namespace {

class WebhooksContract : public WebhookContractTest {};

using Types = std::vector<EventType>;

TEST_F(WebhooksContract, KeepsWhatWasConfigured)
{
    const Webhook wanted = new_webhook(anas);
    Webhook made = created(wanted);
    EXPECT_EQ(made.cursor, 1);  // The event of its creation.
    EXPECT_EQ(made.revision, 1);
    made.cursor = 0;
    EXPECT_EQ(made, wanted);
    if (keeps()) reopen();
    made.cursor = 1;
    EXPECT_EQ(found(made), made);
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created}));
}

TEST_F(WebhooksContract, BelongsToItsOwner)
{
    const Webhook made = created_for(anas);
    for (const Owner& other : {bens, anas_test}) {
        EXPECT_EQ(block_on(webhooks().find(other, made.id)).error().code, Errc::not_found);
        EXPECT_TRUE(block_on(webhooks().list(other, std::nullopt, 10)).value().items.empty());
        Webhook stolen = made;
        stolen.owner = other;
        EXPECT_EQ(change(stolen).error().code, Errc::not_found);
        EXPECT_EQ(
            block_on(webhooks().remove(other, made.id, std::nullopt, later(), {})).error().code,
            Errc::not_found);
        EXPECT_EQ(block_on(deliveries().list(other, made.id, std::nullopt, std::nullopt, 10))
                      .error()
                      .code,
                  Errc::not_found);
        const Delivery delivery = dispatched(made, 1).front();
        EXPECT_EQ(block_on(deliveries().find(other, made.id, delivery.id)).error().code,
                  Errc::not_found);
        EXPECT_EQ(block_on(deliveries().redeliver(other, made.id, delivery.id)).error().code,
                  Errc::not_found);
        EXPECT_EQ(block_on(deliveries().replay({.owner = other, .webhook = made.id})).error().code,
                  Errc::not_found);
        EXPECT_EQ(block_on(deliveries().add(other, new_delivery(made, 0))).error().code,
                  Errc::not_found);
    }
}

TEST_F(WebhooksContract, ListsTheNewestFirst)
{
    const std::vector made{created_for(anas), created_for(anas), created_for(anas)};
    created_for(bens);
    const auto first = block_on(webhooks().list(anas, std::nullopt, 2)).value();
    ASSERT_EQ(first.items.size(), 2U);
    EXPECT_EQ(first.items[0].id, made[2].id);
    EXPECT_EQ(first.items[1].id, made[1].id);
    const auto second = block_on(webhooks().list(anas, first.next, 2)).value();
    ASSERT_EQ(second.items.size(), 1U);
    EXPECT_EQ(second.items[0].id, made[0].id);
    EXPECT_FALSE(second.next);
}

TEST_F(WebhooksContract, LimitsTheirNumber)
{
    created_for(anas);
    EXPECT_EQ(block_on(webhooks().create(new_webhook(anas), 1, std::nullopt, {})).error().code,
              Errc::quota_reached);
    EXPECT_TRUE(block_on(webhooks().create(new_webhook(anas_test), 1, std::nullopt, {})));
    EXPECT_TRUE(block_on(webhooks().create(new_webhook(bens), 1, std::nullopt, {})));
    EXPECT_EQ(block_on(webhooks().create(new_webhook({"usr_none", false}), 1, std::nullopt, {}))
                  .error()
                  .code,
              Errc::not_found);
}

TEST_F(WebhooksContract, ASecondRequestWithAKeyGivesTheFirstWebhook)
{
    KeyClaim key{.key = "k", .fingerprint = {}, .now = clock.now(), .expires_at = clock.now() + 1h};
    const auto first = block_on(webhooks().create(new_webhook(anas), 1, key, {})).value();
    const auto second = block_on(webhooks().create(new_webhook(anas), 1, key, {})).value();
    EXPECT_FALSE(first.replayed);
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.webhook, first.webhook);
    EXPECT_EQ(block_on(webhooks().find_replay(anas, key)).value(), first.webhook);
    EXPECT_EQ(block_on(webhooks().find_replay(bens, key)).value(), std::nullopt);
    key.fingerprint[0] = 1;
    EXPECT_EQ(block_on(webhooks().find_replay(anas, key)).error().code, Errc::idempotency_mismatch);
    EXPECT_EQ(block_on(webhooks().create(new_webhook(anas), 1, key, {})).error().code,
              Errc::idempotency_mismatch);
}

TEST_F(WebhooksContract, ChangesOnlyTheRevisionThatWasSeen)
{
    const Webhook made = created_for(anas);
    Webhook wanted = made;
    wanted.url = "https://example.org/";
    wanted.ordered = true;
    wanted.secret = {.sealed = "new",
                     .hint = "whsec_…new=",
                     .old = {{.secret = made.secret.sealed, .until = clock.now() + 1h},
                             {.secret = "older", .until = clock.now() + 2h}}};
    const Webhook changed = change(wanted).value();
    EXPECT_EQ(changed.revision, 2);
    EXPECT_EQ(changed.secret, wanted.secret);
    EXPECT_EQ(found(made), changed);
    EXPECT_EQ(change(wanted).error().code, Errc::precondition_failed);
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_updated}));
}

TEST_F(WebhooksContract, ADisabledOneGivesUpAndHearsOnlyWhatComesAfterItIsEnabled)
{
    const Webhook made = created_for(anas);
    const Delivery pending = dispatched(made, 1).front();
    ASSERT_TRUE(settle(failure(pending, 5s)));
    const Webhook disabled = with_state(made, WebhookState::disabled);
    EXPECT_EQ(disabled.disabled_reason, DisabledReason::user);
    EXPECT_EQ(status_of(made, pending), DeliveryStatus::failed);
    EXPECT_FALSE(block_on(deliveries().endpoint(made.id)).value());
    EXPECT_TRUE(block_on(webhooks().active(std::nullopt, 10)).value().items.empty());
    EXPECT_FALSE(block_on(deliveries().dispatch({.webhook = made.id,
                                                 .revision = disabled.revision,
                                                 .seen = disabled.cursor,
                                                 .new_cursor = disabled.cursor + 1}))
                     .value());
    EXPECT_EQ(block_on(deliveries().redeliver(anas, made.id, pending.id)).error().code,
              Errc::conflict);
    EXPECT_EQ(block_on(deliveries().add(anas, new_delivery(made, 0))).error().code, Errc::conflict);
    EXPECT_EQ(
        block_on(deliveries().replay({.owner = anas, .webhook = made.id, .most = 5})).error().code,
        Errc::conflict);

    created(anas);  // A session: event 3.
    const Webhook enabled = with_state(made, WebhookState::active);
    EXPECT_FALSE(enabled.failing_since);
    EXPECT_EQ(enabled.cursor, 4);
    EXPECT_EQ(block_on(webhooks().active(std::nullopt, 10)).value().items.size(), 1U);
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_disabled,
                                     EventType::session_created, EventType::webhook_updated}));
}

TEST_F(WebhooksContract, ADisabledOneGivesUpManyDeliveriesSomeAtATime)
{
    const Webhook other = created_for(anas);
    dispatched(other, 1);
    const Webhook made = created_for(anas);
    dispatched(made, 1200);
    with_state(made, WebhookState::disabled);
    EXPECT_EQ(pending(made), 700U);
    if (keeps()) reopen();
    EXPECT_EQ(giving_up(), std::vector{made.id});
    EXPECT_TRUE(give_up(made));
    EXPECT_EQ(pending(made), 200U);
    EXPECT_FALSE(give_up(made));
    EXPECT_EQ(pending(made), 0U);
    EXPECT_FALSE(give_up(made));
    EXPECT_TRUE(giving_up().empty());
    EXPECT_FALSE(give_up(other));
    EXPECT_EQ(pending(other), 1U) << "it is active";
}

TEST_F(WebhooksContract, OneThatIsEnabledAgainHasGivenUpAllThatWasPending)
{
    const Webhook made = created_for(anas);
    dispatched(made, 1200);
    Webhook wanted = with_state(made, WebhookState::disabled);
    EXPECT_EQ(pending(made), 700U);
    wanted.state = WebhookState::active;
    wanted.disabled_reason.reset();
    const AuditEvent audit = new_event();
    const Webhook enabled =
        block_on(webhooks().change(
                     {.webhook = wanted, .seen = wanted.revision, .cause = {}, .audit = audit}))
            .value();
    EXPECT_EQ(enabled.revision, wanted.revision + 1);
    EXPECT_EQ(pending(made), 0U);
    EXPECT_TRUE(due(made).empty());
    EXPECT_EQ(audited(), std::vector{audit});
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_disabled,
                                     EventType::webhook_updated}));
}

TEST_F(WebhooksContract, GoesWithManyDeliveriesWhileOthersWrite)
{
    const Webhook made = created_for(anas);
    const auto all = dispatched(made, 1200);
    settle(success(all[0]));
    const AuditEvent removal = new_event();
    const auto remove = [&]() -> Task<> {
        EXPECT_TRUE(co_await webhooks().remove(anas, made.id, 1, later(), {}, removal));
    };
    const auto write = [&]() -> Task<> {
        for (int i = 0; i < 3; ++i)
            EXPECT_TRUE(co_await sessions().create_session(new_session(anas)));
    };
    std::vector<Task<>> tasks;
    tasks.push_back(remove());
    tasks.push_back(write());
    block_on_each(std::move(tasks));
    EXPECT_EQ(block_on(webhooks().find(anas, made.id)).error().code, Errc::not_found);
    EXPECT_FALSE(settle(success(all[1199])));
    EXPECT_EQ(audited(), std::vector{removal});
    Types types = types_of(anas);
    EXPECT_EQ(std::erase(types, EventType::session_created), 3U);
    EXPECT_EQ(types, (Types{EventType::webhook_created, EventType::webhook_disabled,
                            EventType::webhook_deleted}));
}

// As a removal leaves it that was interrupted after its first step.
TEST_F(WebhooksContract, ADisabledOneWithManyDeliveriesCanBeRemoved)
{
    const Webhook made = created_for(anas);
    dispatched(made, 1200);
    const Webhook disabled = with_state(made, WebhookState::disabled);
    if (keeps()) reopen();
    EXPECT_EQ(block_on(webhooks().remove(anas, made.id, 1, later(), {})).error().code,
              Errc::precondition_failed);
    ASSERT_TRUE(block_on(webhooks().remove(anas, made.id, disabled.revision, later(), {})));
    EXPECT_EQ(block_on(webhooks().find(anas, made.id)).error().code, Errc::not_found);
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_disabled,
                                     EventType::webhook_deleted}));
}

TEST_F(WebhooksContract, OnlyOneOfTwoRemovalsAtOnceRemovesIt)
{
    const Webhook made = created_for(anas);
    dispatched(made, 1200);
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 2; ++i)
        tasks.push_back(webhooks().remove(anas, made.id, std::nullopt, later(), {}));
    const auto ends = block_on_all(std::move(tasks));
    EXPECT_NE(ends[0].has_value(), ends[1].has_value());
    EXPECT_EQ((ends[0] ? ends[1] : ends[0]).error().code, Errc::not_found);
    EXPECT_EQ(std::ranges::count(types_of(anas), EventType::webhook_deleted), 1);
    EXPECT_EQ(block_on(webhooks().find(anas, made.id)).error().code, Errc::not_found);
}

TEST_F(WebhooksContract, GoesWithItsDeliveries)
{
    const Webhook made = created_for(anas);
    const Delivery delivery = dispatched(made, 1).front();
    EXPECT_EQ(block_on(webhooks().remove(anas, made.id, 7, later(), {})).error().code,
              Errc::precondition_failed);
    ASSERT_TRUE(block_on(webhooks().remove(anas, made.id, 1, later(), {})));
    EXPECT_EQ(block_on(webhooks().find(anas, made.id)).error().code, Errc::not_found);
    EXPECT_FALSE(settle(success(delivery)));
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_deleted}));
}

TEST_F(WebhooksContract, ChangesAreStoredWithTheirAudit)
{
    const AuditEvent creation = new_event();
    const Webhook made =
        block_on(webhooks().create(new_webhook(anas), 1, std::nullopt, {}, creation))
            .value()
            .webhook;
    const AuditEvent refused = new_event();
    EXPECT_FALSE(block_on(webhooks().create(new_webhook(anas), 1, std::nullopt, {}, refused)));
    const AuditEvent edit = new_event();
    ASSERT_TRUE(
        block_on(webhooks().change({.webhook = made, .seen = 1, .cause = {}, .audit = edit})));
    const AuditEvent removal = new_event();
    ASSERT_TRUE(block_on(webhooks().remove(anas, made.id, 2, later(), {}, removal)));
    EXPECT_EQ(audited(), (std::vector{removal, edit, creation}));
}

TEST_F(WebhooksContract, ThoseOfDisabledUsersAreNotActive)
{
    const Webhook made = created_for(anas);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = true})));
    EXPECT_FALSE(block_on(deliveries().endpoint(made.id)).value());
    EXPECT_TRUE(block_on(webhooks().active(std::nullopt, 10)).value().items.empty());
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = false})));
    EXPECT_EQ(block_on(deliveries().endpoint(made.id)).value()->id, made.id);
    const auto page = block_on(webhooks().active(std::nullopt, 10)).value();
    ASSERT_EQ(page.items.size(), 1U);
    EXPECT_EQ(page.items[0].owner, anas);
}

}  // namespace
}  // namespace parley::store
