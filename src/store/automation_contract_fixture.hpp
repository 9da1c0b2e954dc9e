// The fixture of the contract tests of automations.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

class AutomationContractTest : public ChatContractTest {
protected:
    using Types = std::vector<EventType>;
    using Status = AutomationRunStatus;

    Automations& automations() { return store->automations(); }
    Ledger& ledger() { return store->ledger(); }

    Automation new_automation(const Owner& owner, const std::string& name = "digest")
    {
        const TimePoint now = later();
        return {.id = new_id("aut", now),
                .owner = owner,
                .name = name,
                .name_key = name,
                .definition = R"({"message":"Say it."})",
                .evaluated_until = now,
                .created_at = now,
                .updated_at = now};
    }
    Automation created(const Automation& wanted)
    {
        return block_on(automations().create(wanted, 100, std::nullopt, {})).value().automation;
    }
    Automation created_with(Overlap overlap)
    {
        Automation wanted = new_automation(anas);
        wanted.overlap = overlap;
        return created(wanted);
    }
    Automation found(const Automation& automation)
    {
        return block_on(automations().find(automation.owner, automation.id)).value();
    }
    using ChatContractTest::created;
    using ChatContractTest::found;

    AutomationRun new_row(const Automation& automation, const std::string& key)
    {
        const TimePoint now = later();
        return {.id = new_id("aru", now),
                .automation = automation.id,
                .owner = automation.owner,
                .revision = automation.revision,
                .key = key,
                .scheduled_for = now,
                .values = "{}",
                .max_attempts = 3,
                .not_before = now,
                .created_at = now,
                .definition = automation.definition};
    }
    Result<EnteredRows> add(const std::vector<AutomationRun>& rows)
    {
        return block_on(ledger().add(rows.front().owner, rows, {.request = "req_add"}));
    }
    AutomationRun added(const Automation& automation, const std::string& key)
    {
        return add({new_row(automation, key)}).value().rows.front();
    }
    AutomationRun found(const AutomationRun& row)
    {
        return block_on(ledger().find(row.owner, row.id)).value();
    }
    Status status_of(const AutomationRun& row) { return found(row).status; }

    // Its question in a new session, or the one that it has asked again.
    NewRun attempt_of(const AutomationRun& row)
    {
        const AutomationRun now = found(row);
        NewRun wanted =
            now.question ? new_run({}, Regenerate{*now.question}) : first_run(row.owner);
        if (now.question) wanted.run.owner = row.owner;
        if (wanted.new_session) wanted.new_session->automation = row.automation;
        wanted.run.cause = {.automation = row.automation, .automation_run = row.id, .depth = 1};
        wanted.attempt = AttemptClaim{.row = row.id, .clock = &clock};
        return wanted;
    }
    RunWithMessages begun_attempt(const AutomationRun& row)
    {
        return begin(attempt_of(row)).value().whole;
    }
    void end(const RunWithMessages& run, RunStatus status, bool may_retry = false)
    {
        FinishedRun finished = end_of(run.run);
        finished.status = status;
        finished.usage = Usage{10, 20, 0};
        finished.may_retry = may_retry;
        if (status == RunStatus::failed) finished.error = RunError{"upstream_error", "It failed."};
        EXPECT_TRUE(block_on(runs().finish_run(finished)));
    }

    std::vector<std::string> startable_rows()
    {
        std::vector<std::string> ids;
        for (const auto& row : block_on(ledger().startable(later(), 10)).value())
            ids.push_back(row.id);
        return ids;
    }

    std::vector<Event> events_of(const Owner& owner)
    {
        return block_on(store->events().read(owner, 0, EventTypes::all(), 1000)).value().events;
    }
    Types types_of(const Owner& owner)
    {
        Types types;
        for (const Event& event : events_of(owner)) types.push_back(event.type);
        return types;
    }
};

}  // namespace parley::store
