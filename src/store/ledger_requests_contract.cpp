// The contract tests of the ledger as clients use it: rows that they ask for, retry and list.
#include "store/automation_contract_fixture.hpp"

namespace parley::store {
namespace {

class LedgerRequestsContract : public AutomationContractTest {};

TEST_F(LedgerRequestsContract, QueuesUpToAHundred)
{
    const Automation automation = created_with(Overlap::queue);
    std::vector<AutomationRun> batch;
    for (int i = 0; i < 5; ++i) {
        batch.push_back(new_row(automation, "b" + std::to_string(i)));
        batch.back().batch = "bat_1";
    }
    ASSERT_TRUE(add(batch));
    for (int i = 0; i < 100; ++i)
        ASSERT_EQ(added(automation, std::to_string(i)).status, Status::queued);
    const AutomationRun beyond = added(automation, "beyond");
    EXPECT_EQ(beyond.status, Status::skipped);
    EXPECT_EQ(beyond.skip_reason, SkipReason::queue_full);
    const auto retry = [&] { return block_on(ledger().retry(anas, beyond.id, later(), {})); };
    EXPECT_EQ(retry().error().code, Errc::conflict) << "a retry waits in the same line";
    EXPECT_EQ(status_of(beyond), Status::skipped);
    const auto first = block_on(ledger().list(anas, {.batch = "bat_1"}, {}, 10)).value().items;
    const auto queued = block_on(ledger().list(anas, {.status = Status::queued}, {}, 1)).value();
    ASSERT_TRUE(block_on(ledger().cancel(anas, first.front().id, later(), {})));
    EXPECT_EQ(retry().error().code, Errc::conflict) << "a batch takes no place";
    ASSERT_TRUE(block_on(ledger().cancel(anas, queued.items.front().id, later(), {})));
    EXPECT_TRUE(retry());
}

TEST_F(LedgerRequestsContract, TakesAnIdempotencyKey)
{
    const Automation automation = created_with(Overlap::allow);
    const auto add_with = [&](const std::string& key, const KeyClaim& claimed) {
        return block_on(ledger().add(anas, {new_row(automation, key)}, {}, claimed));
    };
    const EnteredRows made = add_with("1", claim("k")).value();
    EXPECT_TRUE(made.are_new);
    const EnteredRows again = add_with("1", claim("k")).value();
    EXPECT_FALSE(again.are_new);
    EXPECT_EQ(again.rows, made.rows);
    EXPECT_EQ(add_with("2", claim("k", 2)).error().code, Errc::idempotency_mismatch);
    EXPECT_EQ(block_on(ledger().list(anas, {}, {}, 10)).value().items.size(), 1U);
    ASSERT_TRUE(block_on(sessions().create_session(new_session(anas), claim("s"))));
    EXPECT_EQ(add_with("3", claim("s")).error().code, Errc::idempotency_mismatch)
        << "the key of another request";
    clock.advance(25h);
    EXPECT_TRUE(add_with("2", claim("k", 2)).value().are_new) << "it has expired";
}

TEST_F(LedgerRequestsContract, KnowsKeysBeforeTheRowsAreMade)
{
    const Automation automation = created_with(Overlap::allow);
    ASSERT_TRUE(block_on(ledger().add(anas, {new_row(automation, "1")}, {}, claim("k"))));
    AutomationRun due = new_row(automation, "2");
    due.trigger = TriggerType::schedule;
    ASSERT_TRUE(add({due}));
    const auto known = [&](const Owner& owner, std::optional<KeyClaim> claimed = {}) {
        return block_on(ledger().known_keys(owner, automation.id, {"1", "2", "3"}, claimed));
    };
    EXPECT_EQ(known(anas).value(), std::set<std::string>{"1"});
    EXPECT_EQ(known(anas, claim("k")).value(), std::set<std::string>{"1"});
    EXPECT_EQ(known(anas, claim("k", 2)).error().code, Errc::idempotency_mismatch);
    EXPECT_TRUE(known(bens).value().empty());
    // A row of a known key needs no values.
    AutomationRun bare{.automation = automation.id, .key = "1"};
    EXPECT_FALSE(block_on(ledger().add(anas, {bare, new_row(automation, "4")}, {}))
                     .value()
                     .rows[0]
                     .values.empty());
    bare.key = "gone";
    EXPECT_EQ(block_on(ledger().add(anas, {bare}, {})).error().code, Errc::precondition_failed);
}

TEST_F(LedgerRequestsContract, ListsRowsNewestFirst)
{
    const Automation one = created_with(Overlap::allow);
    const Automation other = created_with(Overlap::allow);
    const AutomationRun first = added(one, "1");
    AutomationRun second = new_row(other, "2");
    second.batch = "bat_1";
    second.trigger = TriggerType::schedule;
    ASSERT_TRUE(add({second}));
    const AutomationRun third = added(one, "3");
    ASSERT_TRUE(block_on(ledger().cancel(anas, third.id, later(), {})));
    const auto ids = [&](AutomationRunFilter filter) {
        std::vector<std::string> all;
        std::optional<Ledger::Position> after;
        do {
            const auto page = block_on(ledger().list(anas, filter, after, 2)).value();
            for (const AutomationRun& each : page.items) all.push_back(each.id);
            after = page.next;
        } while (after);
        return all;
    };
    EXPECT_EQ(ids({}), (std::vector{third.id, second.id, first.id}));
    EXPECT_EQ(ids({.automation = one.id}), (std::vector{third.id, first.id}));
    EXPECT_EQ(ids({.status = Status::queued}), (std::vector{second.id, first.id}));
    EXPECT_EQ(ids({.trigger = TriggerType::schedule}), std::vector{second.id});
    EXPECT_EQ(ids({.trigger = TriggerType::manual}), (std::vector{third.id, first.id}));
    EXPECT_EQ(ids({.automation = one.id, .trigger = TriggerType::manual}),
              (std::vector{third.id, first.id}));
    EXPECT_EQ(ids({.automation = one.id, .status = Status::cancelled}), std::vector{third.id});
    EXPECT_EQ(ids({.status = Status::completed}), std::vector<std::string>());
    EXPECT_EQ(ids({.batch = "bat_1"}), std::vector{second.id});
    EXPECT_EQ(ids({.automation = one.id, .batch = "bat_1"}), std::vector<std::string>());
    EXPECT_EQ(ids({.automation = other.id, .batch = "bat_1"}), std::vector{second.id});
    EXPECT_TRUE(block_on(ledger().list(bens, {.batch = "bat_1"}, {}, 10)).value().items.empty());
    EXPECT_TRUE(block_on(ledger().list(bens, {}, {}, 10)).value().items.empty());
    EXPECT_EQ(block_on(ledger().list(bens, {.automation = one.id}, {}, 10)).error().code,
              Errc::not_found);
}

}  // namespace
}  // namespace parley::store
