// Contract tests of the hooks of automations.
#include "store/automation_contract_fixture.hpp"

#include <gmock/gmock.h>

namespace parley::store {
namespace {

using testing::ElementsAre;

class HooksContract : public AutomationContractTest {
protected:
    Hook new_hook(const std::string& secret = "0123456789abcdef")
    {
        const TimePoint now = later();
        return {.id = new_id("hok", now), .secret = secret, .hint = "…abcd", .created_at = now};
    }
    Automation with_hook(Overlap overlap = Overlap::queue)
    {
        Automation wanted = new_automation(anas);
        wanted.overlap = overlap;
        wanted.hook = new_hook();
        return created(wanted);
    }
    Result<DueAutomation> find_hook(const std::string& hook)
    {
        return block_on(automations().find_hook(hook));
    }
    Result<Automation> change(const Automation& automation, AutomationChange wanted = {})
    {
        wanted.automation = automation;
        wanted.automation.updated_at = later();
        wanted.seen = automation.revision;
        wanted.seen_state = found(automation).state;
        return block_on(automations().change(wanted));
    }
    AutomationRun call(const Automation& automation, const std::string& key)
    {
        AutomationRun row = new_row(automation, key);
        row.trigger = TriggerType::hook;
        return row;
    }
    Automation paused(Automation automation)
    {
        automation.state = AutomationState::paused;
        automation.pause_reason = PauseReason::user;
        return change(automation, {.is_due_anew = true}).value();
    }
    AuditEvent noted(const std::string& target)
    {
        const TimePoint now = later();
        return {new_id("evt", now), now, "usr_1", "hook.created", target, "192.0.2.1", "req_1"};
    }
    std::vector<std::string> audited_targets()
    {
        std::vector<std::string> targets;
        const auto page = block_on(store->audit().list({}, 100, {.action = "hook.created"}));
        for (const AuditEvent& each : page.value().items) targets.push_back(each.target);
        return targets;
    }
};

TEST_F(HooksContract, IsFoundByItsIdWithItsAutomation)
{
    const Automation made = with_hook();
    const auto known = find_hook(made.hook->id);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->automation, found(made));
    EXPECT_EQ(known->automation.hook, made.hook);
    EXPECT_FALSE(known->owner_is_disabled);
    EXPECT_EQ(find_hook("hok_unknown").error().code, Errc::not_found);
}

TEST_F(HooksContract, TellsThatTheOwnerIsDisabled)
{
    const Automation made = with_hook();
    ASSERT_TRUE(block_on(store->accounts().change_user(anas.user, {.disabled = true})));
    EXPECT_TRUE(find_hook(made.hook->id)->owner_is_disabled);
}

TEST_F(HooksContract, AChangeReplacesTheSecretAndKeepsTheOld)
{
    Automation made = with_hook();
    made.hook->old = {{.secret = made.hook->secret, .until = later()},
                      {.secret = "older\0bytes"s, .until = later()}};
    made.hook->secret = std::string("\0\xff sealed", 9);
    const Automation changed = change(made).value();
    EXPECT_EQ(changed.revision, 2);
    EXPECT_EQ(changed.hook, made.hook);
    EXPECT_EQ(find_hook(made.hook->id)->automation.hook, made.hook);
}

TEST_F(HooksContract, GoesWithTheTriggerAndWithTheAutomation)
{
    Automation first = with_hook();
    const std::string gone = first.hook->id;
    first.hook = new_hook();
    EXPECT_EQ(change(first)->hook, first.hook);
    EXPECT_EQ(find_hook(gone).error().code, Errc::not_found);
    ++first.revision;
    const std::string second = first.hook->id;
    first.hook.reset();
    EXPECT_EQ(change(first)->hook, std::nullopt);
    EXPECT_EQ(find_hook(second).error().code, Errc::not_found);

    const Automation removed = with_hook();
    EXPECT_TRUE(block_on(automations().remove(anas, removed.id, {}, later(), {})));
    EXPECT_EQ(find_hook(removed.hook->id).error().code, Errc::not_found);
}

TEST_F(HooksContract, IsAuditedInItsTransaction)
{
    Automation wanted = new_automation(anas);
    wanted.hook = new_hook();
    const AuditEvent event = noted(wanted.hook->id);
    ASSERT_TRUE(block_on(automations().create(wanted, 100, std::nullopt, {}, event)));
    EXPECT_THAT(audited_targets(), ElementsAre(wanted.hook->id));

    // Refused: nothing is noted.
    Automation more = new_automation(anas);
    EXPECT_FALSE(block_on(automations().create(more, 1, std::nullopt, {}, noted("hok_2"))));
    Automation old = found(wanted);
    old.revision = 7;
    EXPECT_FALSE(change(old, {.audit = noted("hok_3")}));
    EXPECT_THAT(audited_targets(), ElementsAre(wanted.hook->id));
    // The store knows the hook that goes with its automation.
    EXPECT_TRUE(block_on(automations().remove(anas, wanted.id, {}, later(), {}, noted(""))));
    EXPECT_THAT(audited_targets(), ElementsAre(wanted.hook->id, wanted.hook->id));
}

TEST_F(HooksContract, ACallIsOneRowForItsKey)
{
    const Automation made = with_hook();
    const auto first = add({call(made, "delivery-1")});
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->are_new);
    const auto again = add({call(made, "delivery-1")});
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->are_new);
    EXPECT_EQ(again->rows.front(), first->rows.front());
    // A run by hand has keys of its own.
    EXPECT_TRUE(add({new_row(made, "delivery-1")})->are_new);

    const auto row =
        block_on(ledger().find_by_key(anas, {made.id, TriggerType::hook, "delivery-1"}));
    EXPECT_EQ(row.value(), first->rows.front());
    for (const Ledger::RowKey& other :
         {Ledger::RowKey{made.id, TriggerType::hook, "delivery-2"},
          Ledger::RowKey{made.id, TriggerType::schedule, "delivery-1"},
          Ledger::RowKey{"aut_unknown", TriggerType::hook, "delivery-1"}})
        EXPECT_EQ(block_on(ledger().find_by_key(anas, other)).value(), std::nullopt);
    EXPECT_EQ(
        block_on(ledger().find_by_key(bens, {made.id, TriggerType::hook, "delivery-1"})).value(),
        std::nullopt);
}

TEST_F(HooksContract, ACallWhilePausedIsSkipped)
{
    const Automation made = paused(with_hook());
    const auto entered = add({call(made, "a")});
    ASSERT_TRUE(entered);
    EXPECT_EQ(entered->rows.front().status, Status::skipped);
    EXPECT_EQ(entered->rows.front().skip_reason, SkipReason::paused);
    EXPECT_EQ(types_of(anas).back(), EventType::automation_run_skipped);
    // By hand it runs, also while paused.
    EXPECT_EQ(add({new_row(made, "b")})->rows.front().status, Status::queued);
}

TEST_F(HooksContract, ACallThatOverlapsIsSkippedNotRefused)
{
    const Automation made = with_hook(Overlap::skip);
    EXPECT_EQ(add({call(made, "a")})->rows.front().status, Status::queued);
    const auto second = add({call(made, "b")});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->rows.front().status, Status::skipped);
    EXPECT_EQ(second->rows.front().skip_reason, SkipReason::overlap);
    EXPECT_EQ(add({new_row(made, "c")}).error().code, Errc::automation_busy);
}

TEST_F(HooksContract, ACallAfterAnEditIsMadeAgain)
{
    const Automation made = with_hook();
    const Automation edited = change(made).value();
    EXPECT_EQ(add({call(made, "a")}).error().code, Errc::precondition_failed);
    EXPECT_TRUE(add({call(edited, "a")}));
    // A call that is known stays known.
    EXPECT_FALSE(add({call(made, "a")})->are_new);
}

}  // namespace
}  // namespace parley::store
