// The contract tests of automations that listen to the event log.
#include "store/automation_contract_fixture.hpp"
#include "store/ledger_rules.hpp"

namespace parley::store {
namespace {

class ListenersContract : public AutomationContractTest {
protected:
    Automation listening(const Owner& owner)
    {
        Automation wanted = new_automation(owner);
        wanted.listens = true;
        return created(wanted);
    }
    std::vector<std::string> listeners_of(const Owner& owner)
    {
        std::vector<std::string> ids;
        for (const DueAutomation& each : block_on(automations().listeners(owner)).value())
            ids.push_back(each.automation.id);
        return ids;
    }
    HeardEvents heard(const Automation& automation, std::int64_t until)
    {
        return {.automation = automation.id,
                .revision = automation.revision,
                .seen_until = automation.heard_until,
                .new_until = until,
                .now = later()};
    }
    AutomationRun row_of_event(const Automation& automation, const std::string& event,
                               std::int64_t depth)
    {
        AutomationRun row = new_row(automation, event);
        row.trigger = TriggerType::event;
        row.depth = depth;
        return row;
    }
    std::int64_t latest(const Owner& owner)
    {
        return block_on(store->events().read(owner, 0, EventTypes::all(), 0)).value().latest;
    }
};

TEST_F(ListenersContract, AreFoundByTheirOwner)
{
    created(new_automation(anas));
    EXPECT_TRUE(block_on(automations().listening_owners()).value().empty());
    const Automation first = listening(anas);
    const Automation second = listening(anas);
    const Automation of_test = listening(anas_test);
    EXPECT_EQ(block_on(automations().listening_owners()).value(),
              (std::vector<Owner>{anas, anas_test}));
    EXPECT_EQ(listeners_of(anas), (std::vector<std::string>{first.id, second.id}));
    EXPECT_EQ(listeners_of(anas_test), std::vector<std::string>{of_test.id});
    EXPECT_TRUE(listeners_of(bens).empty());
}

TEST_F(ListenersContract, HearFromTheTimeOnWhenTheyBegin)
{
    created(new_automation(anas));
    const std::int64_t before = latest(anas);
    Automation made = listening(anas);
    EXPECT_EQ(made.heard_until, before);
    EXPECT_EQ(found(made), made);
    // An edit of other fields does not change that, a pause does.
    AutomationChange change{.automation = made, .seen = made.revision};
    change.automation.name = "other";
    made = block_on(automations().change(change)).value();
    EXPECT_EQ(made.heard_until, before);
    change = {.automation = made, .seen = made.revision, .is_due_anew = true};
    change.automation.state = AutomationState::paused;
    made = block_on(automations().change(change)).value();
    EXPECT_TRUE(listeners_of(anas).empty());
    created(new_automation(anas));
    change = {.automation = made,
              .seen = made.revision,
              .seen_state = AutomationState::paused,
              .is_due_anew = true};
    change.automation.state = AutomationState::active;
    const std::int64_t now = latest(anas);
    made = block_on(automations().change(change)).value();
    EXPECT_EQ(made.heard_until, now);
    EXPECT_EQ(found(made), made);
}

TEST_F(ListenersContract, EnterAnEventOnce)
{
    const Automation made = listening(anas);
    HeardEvents event = heard(made, made.heard_until + 1);
    event.row = row_of_event(made, "evt_1", 3);
    event.cause = {.automation = "aut_other", .automation_run = "aru_other", .depth = 3};
    const auto entered = block_on(ledger().hear(event)).value();
    ASSERT_TRUE(entered);
    EXPECT_EQ(found(entered->rows.front()).depth, 3);
    EXPECT_EQ(found(entered->rows.front()).trigger, TriggerType::event);
    EXPECT_EQ(found(made).heard_until, made.heard_until + 1);
    EXPECT_EQ(events_of(anas).back().type, EventType::automation_run_queued);
    EXPECT_EQ(events_of(anas).back().cause, event.cause);
    EXPECT_FALSE(block_on(ledger().hear(event)).value()) << "somebody else has entered it";
    event.seen_until = event.new_until;
    ASSERT_TRUE(block_on(ledger().hear(event)).value());
    EXPECT_EQ(block_on(ledger().list(anas, {}, std::nullopt, 10)).value().items.size(), 1U);
}

TEST_F(ListenersContract, EnterNothingOnceTheyWereChanged)
{
    const Automation made = listening(anas);
    AutomationChange change{.automation = made, .seen = made.revision};
    const Automation changed = block_on(automations().change(change)).value();
    EXPECT_FALSE(block_on(ledger().hear(heard(made, 100))).value());
    EXPECT_TRUE(block_on(ledger().hear(heard(changed, 100))).value());
    EXPECT_EQ(found(made).heard_until, 100);
    const Automation deaf = created(new_automation(anas));
    EXPECT_FALSE(block_on(ledger().hear(heard(deaf, 100))).value());
}

TEST_F(ListenersContract, EnterAThousandRowsOfOneCause)
{
    Automation wanted = new_automation(anas);
    wanted.listens = true;
    wanted.overlap = Overlap::allow;
    Automation made = created(wanted);
    const Automation starter = created(new_automation(anas));
    ASSERT_TRUE(block_on(ledger().add(anas, {new_row(starter, "by hand")}, {.request = "req_1"})));
    // The event that the row by hand is queued; the others are events of rows that it led to.
    const auto hear = [&](std::int64_t number, const std::string& event) {
        HeardEvents next = heard(made, number);
        next.row = row_of_event(made, event, 2);
        auto entered = block_on(ledger().hear(next)).value();
        made.heard_until = number;
        return entered->rows;
    };
    for (std::int64_t i = 0; i < most_rows_of_root; ++i) {
        const auto rows = hear(latest(anas), "evt_" + std::to_string(i));
        ASSERT_EQ(rows.size(), 1U);
        ASSERT_EQ(rows.front().status, AutomationRunStatus::queued) << i;
    }
    const auto last = hear(latest(anas), "evt_last");
    ASSERT_EQ(last.size(), 1U);
    EXPECT_EQ(last.front().skip_reason, SkipReason::loop);
    const std::int64_t end = latest(anas);
    EXPECT_TRUE(hear(end, "evt_further").empty());
    EXPECT_EQ(latest(anas), end);
    EXPECT_EQ(found(made).heard_until, end);
    // Others have other causes.
    ASSERT_TRUE(block_on(ledger().add(anas, {new_row(starter, "again")}, {.request = "req_2"})));
    EXPECT_EQ(hear(latest(anas), "evt_of_other").size(), 1U);
}

// However a row ends: else automations that listen to each other would never stop.
TEST_F(ListenersContract, GiveAllEventsOfARowItsDepth)
{
    const Automation made = listening(anas);
    HeardEvents event = heard(made, made.heard_until + 1);
    event.row = row_of_event(made, "evt_1", 4);
    event.cause.depth = 4;
    const AutomationRun row = block_on(ledger().hear(event)).value()->rows.front();
    const std::size_t before = events_of(anas).size();
    NewRun attempt = attempt_of(row);
    attempt.run.cause.depth = 4;
    end(begin(attempt).value().whole, RunStatus::failed);
    ASSERT_TRUE(block_on(ledger().retry(anas, row.id, later(), {.request = "req_1"})));
    ASSERT_TRUE(
        block_on(ledger().refuse({.row = row.id, .skip = SkipReason::budget, .now = later()})));
    ASSERT_TRUE(block_on(ledger().retry(anas, row.id, later(), {.request = "req_1"})));
    ASSERT_TRUE(block_on(ledger().cancel(anas, row.id, later(), {.request = "req_2"})));
    const auto events = events_of(anas);
    ASSERT_GE(events.size(), before + 6);
    for (std::size_t i = before; i < events.size(); ++i)
        EXPECT_EQ(events[i].cause.depth, 4) << static_cast<int>(events[i].type);
}

}  // namespace
}  // namespace parley::store
