// Creating, changing and replaying a webhook, with a store in memory.
#include "webhook/webhooks.hpp"

#include "webhook/couriers_for_tests.hpp"

namespace parley::webhook {
namespace {

class WebhooksTest : public testing::Test {
protected:
    WebhooksTest()
    {
        store::User user;
        user.id = owner.user;
        user.username = user.name_key = "ana";
        user.created_at = clock.now();
        EXPECT_TRUE(block_on(store->accounts().add_user(user)));
    }

    Result<ShownWebhook> create(unsigned char fingerprint = 1)
    {
        store::KeyClaim key{.key = "k", .now = clock.now(), .expires_at = clock.now() + 24h};
        key.fingerprint[0] = fingerprint;
        api::WebhookDefinition fields;
        fields.url = "https://203.0.113.1/";
        fields.event_types = {"chat.*"};
        return block_on(webhooks.create(owner, auth::Scopes{auth::Scope::chat_read}, fields,
                                        std::move(key), {}));
    }

    Result<store::Webhook> change(const store::Webhook& webhook, boost::json::object given)
    {
        return block_on(webhooks.change(owner, auth::Scopes{auth::Scope::chat_read}, webhook.id,
                                        std::move(given), {},
                                        [](EventTypes /*types*/) { return Result<>(); }, {}));
    }

    const Owner owner{"usr_1", false};
    ManualClock clock;
    std::unique_ptr<store::Store> store = store::make_memory_store();
    const PlainPayloads payloads;
    const Sealer sealer{Secret("a key for tests")};
    http::client::Resolver resolver;
    bool allows_address = true;
    Webhooks webhooks{*store,
                      payloads,
                      sealer,
                      resolver,
                      clock,
                      {.address_rule = [this](const auto& /*address*/) { return allows_address; },
                       .most_replayed = 3},
                      [](const auto& /*webhook*/, const auto& /*owner*/) {}};
};

TEST_F(WebhooksTest, ARetryGetsWhatItsRequestHasCreatedThoughItsAddressIsRefusedByNow)
{
    const auto made = create().value();
    allows_address = false;
    const auto again = create().value();
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.webhook.id, made.webhook.id);
    EXPECT_EQ(create(2).error().code, Errc::idempotency_mismatch);
    ASSERT_TRUE(block_on(webhooks.remove(owner, made.webhook.id, {}, {})));
    EXPECT_EQ(create().error().code, Errc::not_found);
}

TEST_F(WebhooksTest, ARefusedRequestBindsNoKey)
{
    allows_address = false;
    EXPECT_EQ(create().error().code, Errc::validation_failed);
    allows_address = true;
    EXPECT_FALSE(create(2).value().replayed);
}

TEST_F(WebhooksTest, ItsUrlIsCheckedIfItIsGivenOrIfItIsEnabled)
{
    const store::Webhook made = create().value().webhook;
    allows_address = false;
    EXPECT_EQ(change(made, {{"description", "Mine"}}).value().description, "Mine");
    EXPECT_TRUE(change(made, {{"state", "active"}})) << "it is";
    EXPECT_FALSE(change(made, {{"url", made.url}}));
    EXPECT_EQ(change(made, {{"state", "disabled"}}).value().state, WebhookState::disabled);
    EXPECT_EQ(change(made, {{"state", "active"}}).error().faults.at(0).code, "address_refused");
    allows_address = true;
    EXPECT_EQ(change(made, {{"state", "active"}}).value().state, WebhookState::active);
}

TEST_F(WebhooksTest, AReplayQueuesSoManyAndSaysWhereToGoOn)
{
    const store::Webhook made = create().value().webhook;
    for (const char* id : {"ses_1", "ses_2", "ses_3", "ses_4", "ses_5"})
        ASSERT_TRUE(block_on(store->sessions().create_session(
            {.id = id, .owner = owner, .created_at = clock.now(), .updated_at = clock.now()})));
    const auto replay = [&](std::int64_t after) {
        api::ReplayBody body;
        body.after = after;
        return block_on(webhooks.replay(owner, made.id, body)).value();
    };
    const api::ReplayView first = replay(0);
    EXPECT_EQ(first.count, 3);
    const api::ReplayView second = replay(first.until);
    EXPECT_EQ(second.count, 2);
    EXPECT_EQ(replay(second.until).count, 0);
    EXPECT_EQ(replay(0).count, 0) << "all of them are queued";
}

}  // namespace
}  // namespace parley::webhook
