// A webhook with many deliveries is deleted in parts, and what others change in between counts.
#include "store/sqlite/counted_store_for_tests.hpp"
#include "store/sqlite/database.hpp"
#include "store/webhook_contract_fixture.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace parley::store::sqlite {
namespace {

class WebhookRemovalTest : public WebhookContractTest {
protected:
    WebhookRemovalTest() : WebhookContractTest(std::make_unique<CountedStore>()) {}

    using Types = std::vector<EventType>;

    CountedStore& its_store() { return dynamic_cast<CountedStore&>(*trial); }
    std::int64_t rows(const std::string& table)
    {
        const std::string count = "SELECT count(*) FROM " + table;
        return Database(its_store().file, Database::Access::read).integer(count.c_str());
    }
    Webhook with_deliveries(int count)
    {
        Webhook made = created_for(anas);
        settle(success(dispatched(made, count).front()));
        return made;
    }
    // The first write of `other` comes between the first and the second step.
    Result<> removed_while(const Webhook& made, std::optional<std::int64_t> expected,
                           const std::function<Task<>()>& other)
    {
        Result<> end;
        const auto remove = [&]() -> Task<> {
            end = co_await webhooks().remove(anas, made.id, expected, later(), {});
        };
        std::vector<Task<>> tasks;
        tasks.push_back(remove());
        tasks.push_back(other());
        block_on_each(std::move(tasks));
        return end;
    }
    void expect_nothing()
    {
        for (const char* table : {"webhooks", "deliveries", "delivery_attempts"})
            EXPECT_EQ(rows(table), 0) << table;
    }
};

TEST_F(WebhookRemovalTest, IsDoneInPartsIfItHasManyDeliveries)
{
    const Webhook made = with_deliveries(1200);
    its_store().commits = 0;
    ASSERT_TRUE(block_on(webhooks().remove(anas, made.id, 1, later(), {})));
    EXPECT_EQ(its_store().commits, 2 + 1) << "twice 500, the rest";
    expect_nothing();
}

TEST_F(WebhookRemovalTest, IsDoneAtOnceIfItHasFew)
{
    const Webhook made = with_deliveries(500);
    its_store().commits = 0;
    ASSERT_TRUE(block_on(webhooks().remove(anas, made.id, 1, later(), {})));
    EXPECT_EQ(its_store().commits, 1);
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_deleted}));
    expect_nothing();
}

TEST_F(WebhookRemovalTest, LetsOthersWriteBetweenItsParts)
{
    const Webhook made = with_deliveries(1200);
    const auto create = [&]() -> Task<> {
        EXPECT_TRUE(co_await sessions().create_session(new_session(anas)));
    };
    EXPECT_TRUE(removed_while(made, 1, create));
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_disabled,
                                     EventType::session_created, EventType::webhook_deleted}));
    expect_nothing();
}

TEST_F(WebhookRemovalTest, OfTheRevisionThatWasSeenEndsIfItIsChangedMeanwhile)
{
    const Webhook made = with_deliveries(1200);
    const auto change_it = [&]() -> Task<> {
        WebhookChange wanted{.webhook = made, .seen = 2};
        wanted.webhook.description = "Changed";
        wanted.webhook.state = WebhookState::disabled;
        wanted.webhook.disabled_reason = DisabledReason::user;
        EXPECT_TRUE(co_await webhooks().change(std::move(wanted)));
    };
    EXPECT_EQ(removed_while(made, 1, change_it).error().code, Errc::precondition_failed);
    EXPECT_EQ(rows("deliveries"), 700);
    const Webhook left = found(made);
    EXPECT_EQ(left.description, "Changed");
    EXPECT_EQ(left.state, WebhookState::disabled);
    reopen();
    ASSERT_TRUE(block_on(webhooks().remove(anas, made.id, left.revision, later(), {})));
    expect_nothing();
}

TEST_F(WebhookRemovalTest, DisablesItAgainIfItIsEnabledMeanwhile)
{
    const Webhook made = with_deliveries(1700);
    store.reset();
    Database(its_store().file, Database::Access::write)
        .execute("UPDATE deliveries SET status = 'succeeded', due_ms = NULL, ended_ms = 1");
    store = trial->open();
    const auto enable = [&]() -> Task<> {
        EXPECT_TRUE(co_await webhooks().change({.webhook = made, .seen = 2}));
    };
    EXPECT_TRUE(removed_while(made, std::nullopt, enable));
    EXPECT_EQ(types_of(anas), (Types{EventType::webhook_created, EventType::webhook_disabled,
                                     EventType::webhook_updated, EventType::webhook_disabled,
                                     EventType::webhook_deleted}));
    expect_nothing();
}

}  // namespace
}  // namespace parley::store::sqlite
