// The contract tests of automations.
#include "store/automation_contract_fixture.hpp"

namespace parley::store {
namespace {

class AutomationsContract : public AutomationContractTest {};

TEST_F(AutomationsContract, KeepsWhatItIsGiven)
{
    Automation made = new_automation(anas);
    made.pause_after_failures = 3;
    made.output_tokens_per_day = 1000;
    made.next_at = made.created_at + 60s;
    const auto created = block_on(automations().create(made, 100, std::nullopt, {}));
    ASSERT_TRUE(created);
    EXPECT_FALSE(created->replayed);
    EXPECT_EQ(created->automation, made);
    EXPECT_EQ(found(made), made);
    if (keeps()) {
        reopen();
        EXPECT_EQ(found(made), made);
    }
    EXPECT_EQ(block_on(automations().find(bens, made.id)).error().code, Errc::not_found);
    EXPECT_EQ(block_on(automations().find(anas_test, made.id)).error().code, Errc::not_found);
}

TEST_F(AutomationsContract, AreBoundedForEachOwner)
{
    for (int i = 0; i < 2; ++i)
        ASSERT_TRUE(block_on(automations().create(new_automation(anas), 2, std::nullopt, {})));
    EXPECT_EQ(
        block_on(automations().create(new_automation(anas), 2, std::nullopt, {})).error().code,
        Errc::quota_reached);
    EXPECT_TRUE(block_on(automations().create(new_automation(anas_test), 2, std::nullopt, {})));
    EXPECT_TRUE(block_on(automations().create(new_automation(bens), 2, std::nullopt, {})));
    EXPECT_EQ(
        block_on(automations().create(new_automation({"usr_none", false}), 2, std::nullopt, {}))
            .error()
            .code,
        Errc::not_found);
}

TEST_F(AutomationsContract, AreMadeOnceForAKey)
{
    const Automation made = new_automation(anas);
    ASSERT_TRUE(block_on(automations().create(made, 100, claim("k"), {})));
    const auto again = block_on(automations().create(new_automation(anas), 100, claim("k"), {}));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->replayed);
    EXPECT_EQ(again->automation.id, made.id);
    EXPECT_EQ(
        block_on(automations().create(new_automation(anas), 100, claim("k", 2), {})).error().code,
        Errc::idempotency_mismatch);
    ASSERT_TRUE(block_on(automations().remove(anas, made.id, std::nullopt, later(), {})));
    EXPECT_EQ(
        block_on(automations().create(new_automation(anas), 100, claim("k"), {})).error().code,
        Errc::not_found);
}

TEST_F(AutomationsContract, AreFoundByTheKeyOfTheirRequest)
{
    EXPECT_EQ(block_on(automations().find_replay(anas, claim("k"))).value(), std::nullopt);
    const Automation made = new_automation(anas);
    ASSERT_TRUE(block_on(automations().create(made, 100, claim("k"), {})));
    const auto found = block_on(automations().find_replay(anas, claim("k"))).value();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, made.id);
    EXPECT_EQ(block_on(automations().find_replay(bens, claim("k"))).value(), std::nullopt);
    EXPECT_EQ(block_on(automations().find_replay(anas, claim("k", 2))).error().code,
              Errc::idempotency_mismatch);
    ASSERT_TRUE(block_on(automations().remove(anas, made.id, std::nullopt, later(), {})));
    EXPECT_EQ(block_on(automations().find_replay(anas, claim("k"))).error().code, Errc::not_found);
}

TEST_F(AutomationsContract, AreListedNewestFirstByStateAndName)
{
    const Automation first = created(new_automation(anas, "digest"));
    Automation paused = new_automation(anas, "daily digest");
    paused.state = AutomationState::paused;
    paused.pause_reason = PauseReason::user;
    created(paused);
    const Automation last = created(new_automation(anas, "other"));
    created(new_automation(bens));
    const auto ids = [&](AutomationFilter filter) {
        std::vector<std::string> all;
        std::optional<Automations::Position> after;
        do {
            const auto page = block_on(automations().list(anas, filter, after, 1)).value();
            for (const Automation& each : page.items) all.push_back(each.id);
            after = page.next;
        } while (after);
        return all;
    };
    EXPECT_EQ(ids({}), (std::vector{last.id, paused.id, first.id}));
    EXPECT_EQ(ids({.state = AutomationState::active}), (std::vector{last.id, first.id}));
    EXPECT_EQ(ids({.name_part = "digest"}), (std::vector{paused.id, first.id}));
    EXPECT_EQ(ids({.state = AutomationState::ended}), std::vector<std::string>());
}

TEST_F(AutomationsContract, AreChangedByWhoHasSeenThem)
{
    const Automation made = created(new_automation(anas));
    Automation wanted = made;
    wanted.name = "New";
    wanted.definition = R"({"message":"other"})";
    wanted.overlap = Overlap::allow;
    wanted.next_at = made.created_at + 5s;
    wanted.updated_at = later();
    const auto changed = block_on(automations().change({.automation = wanted, .seen = 1}));
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->revision, 2);
    EXPECT_EQ(changed->next_at, made.next_at);  // It is not due anew.
    EXPECT_EQ(found(made), *changed);
    EXPECT_EQ(found(made).definition, wanted.definition);
    EXPECT_EQ(block_on(automations().change({.automation = wanted, .seen = 1})).error().code,
              Errc::precondition_failed);
    wanted.owner = bens;
    EXPECT_EQ(block_on(automations().change({.automation = wanted, .seen = 2})).error().code,
              Errc::not_found);
}

TEST_F(AutomationsContract, TellOfTheirChanges)
{
    Automation made = created(new_automation(anas));
    made.state = AutomationState::paused;
    made.updated_at = later();
    made = block_on(automations().change(
                        {.automation = made, .seen = 1, .is_edited = false, .is_due_anew = true}))
               .value();
    made.state = AutomationState::active;
    made = block_on(automations().change({.automation = made,
                                          .seen = 2,
                                          .seen_state = AutomationState::paused,
                                          .is_due_anew = true}))
               .value();
    ASSERT_TRUE(block_on(automations().remove(anas, made.id, 3, later(), {.request = "req_1"})));
    EXPECT_EQ(types_of(anas), (Types{EventType::automation_created, EventType::automation_paused,
                                     EventType::automation_updated, EventType::automation_resumed,
                                     EventType::automation_deleted}));
    for (const Event& event : events_of(anas)) EXPECT_EQ(event.subject, made.id);
    EXPECT_EQ(events_of(anas).back().cause.request, "req_1");
}

TEST_F(AutomationsContract, GoWithTheirLedgerAndTheirUser)
{
    const Automation made = created(new_automation(anas));
    const AutomationRun row = added(made, "k");
    EXPECT_EQ(block_on(automations().remove(anas, made.id, 7, later(), {})).error().code,
              Errc::precondition_failed);
    EXPECT_EQ(block_on(automations().remove(bens, made.id, {}, later(), {})).error().code,
              Errc::not_found);
    ASSERT_TRUE(block_on(automations().remove(anas, made.id, 1, later(), {})));
    EXPECT_EQ(block_on(ledger().find(anas, row.id)).error().code, Errc::not_found);

    const Automation bens_own = created(new_automation(bens));
    ASSERT_TRUE(block_on(accounts().remove_user(ben.id)));
    EXPECT_EQ(block_on(automations().find(bens, bens_own.id)).error().code, Errc::not_found);
}

TEST_F(AutomationsContract, AreGoneAtOnceThoughTheirRowsAreDeletedLater)
{
    Automation wanted = new_automation(anas);
    wanted.listens = true;
    wanted.next_at = later();
    wanted.hook = Hook{.id = "hok_1", .secret = "hash", .created_at = later()};
    const Automation made = created(wanted);
    for (const char* key : {"a", "b", "c", "d", "e"}) added(made, key);
    const Automation other = created(new_automation(anas));
    const AutomationRun others = added(other, "a");
    ASSERT_TRUE(block_on(automations().remove(anas, made.id, {}, later(), {})));

    EXPECT_EQ(block_on(automations().find(anas, made.id)).error().code, Errc::not_found);
    EXPECT_EQ(block_on(automations().find_hook("hok_1")).error().code, Errc::not_found);
    EXPECT_EQ(block_on(automations().list(anas, {}, {}, 10)).value().items.size(), 1U);
    EXPECT_EQ(block_on(ledger().list(anas, {}, {}, 10)).value().items.size(), 1U);
    EXPECT_EQ(block_on(ledger().startable(later(), 10)).value().size(), 1U);
    EXPECT_TRUE(block_on(automations().due(later(), 10)).value().empty());
    EXPECT_TRUE(block_on(automations().listeners(anas)).value().empty());
    EXPECT_TRUE(block_on(automations().create(new_automation(anas), 2, std::nullopt, {})))
        << "it does not count any more";
    if (keeps()) reopen();
    int steps = 0;
    while (block_on(automations().sweep_removed(2)).value()) ++steps;
    EXPECT_EQ(steps, 2);
    EXPECT_FALSE(block_on(automations().sweep_removed(2)).value());
    EXPECT_EQ(found(others), others);
}

TEST_F(AutomationsContract, NameTheRunsThatGoWithThem)
{
    const Automation made = created(new_automation(anas));
    const RunWithMessages run = begun_attempt(added(made, "k"));
    EXPECT_EQ(block_on(automations().remove(anas, made.id, {}, later(), {})).value(),
              std::vector{run.run.id});
    EXPECT_TRUE(finish(run));  // The answer stays in its session.
}

TEST_F(AutomationsContract, FindWhatIsDue)
{
    EXPECT_EQ(block_on(automations().next_due()).value(), std::nullopt);
    Automation soon = new_automation(anas);
    soon.next_at = soon.created_at + 10s;
    Automation later_one = new_automation(bens);
    later_one.next_at = soon.created_at + 20s;
    Automation paused = new_automation(anas);
    paused.state = AutomationState::paused;
    created(later_one);
    created(soon);
    created(paused);
    EXPECT_EQ(block_on(automations().next_due()).value(), soon.next_at);
    EXPECT_TRUE(block_on(automations().due(*soon.next_at - 1ms, 10)).value().empty());
    const auto due = block_on(automations().due(*later_one.next_at, 10)).value();
    ASSERT_EQ(due.size(), 2U);
    EXPECT_EQ(due[0].automation, soon);
    EXPECT_EQ(due[1].automation.id, later_one.id);
    EXPECT_FALSE(due[1].owner_is_disabled);
    EXPECT_EQ(block_on(automations().due(*later_one.next_at, 1)).value().size(), 1U);
    ASSERT_TRUE(block_on(accounts().change_user(ben.id, {.disabled = true})));
    EXPECT_TRUE(block_on(automations().due(*later_one.next_at, 10)).value()[1].owner_is_disabled);
}

TEST_F(AutomationsContract, GiveAllThatHaveATime)
{
    std::vector<std::string> wanted;
    for (int i = 0; i < 5; ++i) {
        Automation each = new_automation(i % 2 == 0 ? anas : bens);
        each.next_at = each.created_at - std::chrono::hours(i);
        wanted.push_back(created(each).id);
        created(new_automation(anas));  // Without a time.
        Automation paused = each;
        paused.id = new_id("aut", each.created_at);
        paused.state = AutomationState::paused;
        created(paused);
    }
    std::vector<std::string> ids;
    std::optional<Automations::Position> after;
    do {
        const auto page = block_on(automations().scheduled(after, 2)).value();
        EXPECT_LE(page.items.size(), 2U);
        for (const Automation& each : page.items) ids.push_back(each.id);
        after = page.next;
    } while (after);
    std::ranges::sort(ids);
    std::ranges::sort(wanted);
    EXPECT_EQ(ids, wanted);
}

}  // namespace
}  // namespace parley::store
