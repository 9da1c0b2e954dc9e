#include "store/sql/ledger.hpp"

#include "store/ledger_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/abandoned_runs.hpp"
#include "store/sql/attempts.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/ledger_entry.hpp"
#include "store/sql/ledger_reads.hpp"
#include "store/sql/people.hpp"
#include "store/sql/test_clocks.hpp"

#include <limits>

namespace parley::store::sql {
namespace {

constexpr std::size_t rows_without_turn = 16;

Result<AutomationRun> require_row(Connection& connection, const Owner& owner, const std::string& id)
{
    auto found = find_row(connection, owner, id);
    if (!found) return not_found("The run of the automation");
    return std::move(found->row);
}

Result<std::optional<AutomationRun>> keyed_row(Connection& connection, const Owner& owner,
                                               const Ledger::RowKey& wanted)
{
    const auto kept = find_automation(connection, owner, wanted.automation);
    const auto id =
        kept ? row_with_key(connection, kept->position, wanted.trigger, wanted.key) : std::nullopt;
    auto found = id ? find_row(connection, *id) : std::nullopt;
    if (!found) return std::optional<AutomationRun>();
    return std::optional(std::move(found->row));
}

Result<std::set<std::string>> keys_with_rows(Connection& connection, const Owner& owner,
                                             const std::string& automation,
                                             const std::vector<std::string>& keys,
                                             const std::optional<KeyClaim>& claim)
{
    if (claim)
        if (auto before = made_before(connection, owner, *claim, Keyed::automation_run); !before)
            return before.error();
    std::set<std::string> known;
    const auto kept = find_automation(connection, owner, automation);
    if (!kept) return known;
    for (const std::string& key : keys)
        if (row_with_key(connection, kept->position, TriggerType::manual, key)) known.insert(key);
    return known;
}

Result<> refuse_row(Connection& connection, const Ledger::Refusal& refusal)
{
    connection.lock(Lock::automation_of_row, {refusal.row});
    auto kept = find_row(connection, refusal.row);
    if (!kept || has_ended(kept->row.status) || kept->row.status == AutomationRunStatus::running)
        return {};
    kept->row.skip_reason = refusal.skip;
    kept->row.error = refusal.error;
    end_row(connection, *kept,
            refusal.skip ? AutomationRunStatus::skipped : AutomationRunStatus::failed, refusal.now);
    RowEvents events;
    events.add(kept->row);
    if (!refusal.skip) note_failure(connection, *kept, refusal.now, events);
    events.record(connection, kept->row.owner, {refusal.now, cause_of(kept->row)});
    return {};
}

Result<Ledger::Cancelled> cancel_row(Connection& connection, const Owner& owner,
                                     const std::string& id, TimePoint now, const Cause& cause)
{
    connection.lock(Lock::automation_of_row, {id});
    auto kept = find_row(connection, owner, id);
    if (!kept) return not_found("The run of the automation");
    if (kept->row.status == AutomationRunStatus::running) {
        mark_as_cancelled(connection, *kept);
        std::string run = kept->row.attempts.back().run;
        return Ledger::Cancelled{std::move(kept->row), std::move(run)};
    }
    if (!has_ended(kept->row.status)) {
        end_row(connection, *kept, AutomationRunStatus::cancelled, now);
        RowEvents events;
        events.add(kept->row);
        events.record(connection, owner, {now, with_depth(cause, kept->row)});
    }
    return Ledger::Cancelled{std::move(kept->row)};
}

bool may_be_retried(const AutomationRun& row)
{
    return !row.missed_count && !row.values.empty() &&
           (row.status == AutomationRunStatus::failed ||
            row.status == AutomationRunStatus::skipped ||
            row.status == AutomationRunStatus::missed);
}

Result<AutomationRun> retry_row(Connection& connection, const Owner& owner, const std::string& id,
                                TimePoint now, const Cause& cause,
                                const std::optional<std::string>& token)
{
    connection.lock(Lock::automation_of_row, {id});
    auto kept = find_row(connection, owner, id);
    if (!kept) return not_found("The run of the automation");
    AutomationRun& row = kept->row;
    if (!may_be_retried(row)) return cannot_be_retried();
    const auto automation = find_automation(connection, row.automation);
    if (automation && !row.batch &&
        skip_of(automation->automation.overlap, unfinished_rows(connection, kept->automation)) ==
            SkipReason::queue_full)
        return line_is_full();
    if (row.status == AutomationRunStatus::failed) withdraw_failure(connection, *kept);
    row.status = AutomationRunStatus::queued;
    row.skip_reason.reset();
    row.error.reset();
    row.completed_at.reset();
    row.not_before = to_the_millisecond(test_time(connection, owner).value_or(now));
    row.max_attempts = std::max(row.max_attempts, std::ssize(row.attempts) + 1);
    row.token = token;
    update_row(connection, kept->position, row);
    RowEvents events;
    events.add(row);
    events.record(connection, owner, {now, with_depth(cause, row)});
    return std::move(row);
}

Result<std::size_t> remove_old_rows(Connection& connection, TimePoint before, std::size_t most)
{
    // Twice: a row may be queued again while this waits for it.
    Query remove = connection.query(
        "DELETE FROM automation_runs WHERE position IN (SELECT position FROM automation_runs"
        " INDEXED BY ended_rows WHERE completed_ms IS NOT NULL AND completed_ms < ?1"
        " ORDER BY completed_ms LIMIT ?2) AND completed_ms IS NOT NULL AND completed_ms < ?1");
    return remove.bind(before, at_most(most)).run();
}

}  // namespace

Task<Result<std::vector<EnteredRows>>> SqlLedger::enter(std::vector<DueEntry> entries)
{
    return writes_.run<std::vector<EnteredRows>>(
        [entries = std::move(entries)](Connection& connection) {
            return enter_due(connection, entries);
        });
}

Task<Result<std::optional<EnteredRows>>> SqlLedger::hear(HeardEvents heard)
{
    return writes_.run<std::optional<EnteredRows>>(
        [heard = std::move(heard)](Connection& connection) {
            return enter_heard(connection, heard);
        });
}

Task<Result<EnteredRows>> SqlLedger::add(Owner owner, std::vector<AutomationRun> rows, Cause cause,
                                         std::optional<KeyClaim> claim)
{
    UserTurns::Turn turn;
    if (rows.size() > rows_without_turn) {
        auto taken = co_await turns_.take(owner.user);
        if (!taken) co_return Error{Errc::overloaded, "Several of your batches are waiting."};
        turn = std::move(*taken);
    }
    co_return co_await writes_.run<EnteredRows>([owner = std::move(owner), rows = std::move(rows),
                                                 cause = std::move(cause),
                                                 claim = std::move(claim)](Connection& connection) {
        return add_rows(connection, owner, rows, cause, claim);
    });
}

Task<Result<AutomationRun>> SqlLedger::find(Owner owner, std::string id)
{
    return reads_.run<AutomationRun>(
        [owner = std::move(owner), id = std::move(id)](Connection& connection) {
            return require_row(connection, owner, id);
        });
}

Task<Result<std::optional<AutomationRun>>> SqlLedger::find_by_key(Owner owner, RowKey key)
{
    return reads_.run<std::optional<AutomationRun>>(
        [owner = std::move(owner), key = std::move(key)](Connection& connection) {
            return keyed_row(connection, owner, key);
        });
}

Task<Result<std::set<std::string>>> SqlLedger::known_keys(Owner owner, std::string automation,
                                                          std::vector<std::string> keys,
                                                          std::optional<KeyClaim> claim)
{
    return reads_.run<std::set<std::string>>(
        [owner = std::move(owner), automation = std::move(automation), keys = std::move(keys),
         claim = std::move(claim)](Connection& connection) {
            return keys_with_rows(connection, owner, automation, keys, claim);
        });
}

Task<Result<RowPage>> SqlLedger::list(Owner owner, AutomationRunFilter filter,
                                      std::optional<Position> after, std::size_t limit)
{
    const Position from = after.value_or(std::numeric_limits<Position>::max());
    return reads_.run<RowPage>([owner = std::move(owner), filter = std::move(filter), from,
                                limit](Connection& connection) {
        return page_of_rows(connection, owner, filter, from, limit);
    });
}

Task<Result<std::vector<AutomationRun>>> SqlLedger::startable(TimePoint now, std::size_t most,
                                                              std::string held)
{
    return reads_.run<std::vector<AutomationRun>>(
        [now, most, held = std::move(held)](Connection& connection) {
            return startable_rows(connection, now, most, held);
        });
}

Task<Result<std::optional<TimePoint>>> SqlLedger::next_start(TimePoint after)
{
    return reads_.run<std::optional<TimePoint>>(
        [after](Connection& connection) { return first_start(connection, after); });
}

Task<Result<std::vector<AutomationRun>>> SqlLedger::running()
{
    return reads_.run<std::vector<AutomationRun>>(running_rows);
}

Task<Result<std::vector<Ledger::RunOf>>> SqlLedger::abandoned_runs()
{
    return reads_.run<std::vector<RunOf>>(runs_to_cancel);
}

Task<Result<std::vector<Ledger::Start>>> SqlLedger::starts_since(TimePoint time)
{
    return reads_.run<std::vector<Start>>(
        [time](Connection& connection) { return starts_after(connection, time); });
}

Task<Result<>> SqlLedger::refuse(Refusal refusal)
{
    return writes_.run<void>([refusal = std::move(refusal)](Connection& connection) {
        return refuse_row(connection, refusal);
    });
}

Task<Result<Ledger::Cancelled>> SqlLedger::cancel(Owner owner, std::string id, TimePoint now,
                                                  Cause cause)
{
    return writes_.run<Cancelled>([owner = std::move(owner), id = std::move(id), now,
                                   cause = std::move(cause)](Connection& connection) {
        return cancel_row(connection, owner, id, now, cause);
    });
}

Task<Result<AutomationRun>> SqlLedger::retry(Owner owner, std::string id, TimePoint now,
                                             Cause cause, std::optional<std::string> token)
{
    return writes_.run<AutomationRun>([owner = std::move(owner), id = std::move(id), now,
                                       cause = std::move(cause),
                                       token = std::move(token)](Connection& connection) {
        return retry_row(connection, owner, id, now, cause, token);
    });
}

Task<Result<std::optional<TimePoint>>> SqlLedger::test_clock(Owner owner)
{
    return reads_.run<std::optional<TimePoint>>(
        [owner = std::move(owner)](Connection& connection) -> Result<std::optional<TimePoint>> {
            return test_time(connection, owner);
        });
}

Task<Result<EnteredRows>> SqlLedger::set_test_clock(TestClockChange change)
{
    return writes_.run<EnteredRows>([change = std::move(change)](Connection& connection) {
        return change_test_clock(connection, change);
    });
}

Task<Result<std::vector<SeenSession>>> SqlLedger::surplus_sessions(std::string automation,
                                                                   std::size_t keep)
{
    return reads_.run<std::vector<SeenSession>>(
        [automation = std::move(automation), keep](Connection& connection) {
            return sessions_beyond(connection, automation, keep);
        });
}

Task<Result<std::size_t>> SqlLedger::sweep(TimePoint before, std::size_t most)
{
    return writes_.run<std::size_t>([before, most](Connection& connection) {
        return remove_old_rows(connection, before, most);
    });
}

}  // namespace parley::store::sql
