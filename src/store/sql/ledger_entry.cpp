#include "store/sql/ledger_entry.hpp"

#include "fields/write.hpp"
#include "store/ledger_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/attempts.hpp"
#include "store/sql/automation_policies.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/chains.hpp"
#include "store/sql/due_order.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/run_rows.hpp"

#include <algorithm>
#include <utility>

namespace parley::store::sql {
namespace {

struct CountColumns {
    const Statement* in;
    Column<std::int64_t> all{*in, "all_rows"};
    Column<std::int64_t> in_line{*in, "in_line"};
};

// Nothing if a row has this key already.
bool insert_row(Connection& connection, const KeptAutomation& kept, const AutomationRun& row)
{
    std::optional<std::string_view> skip_reason;
    if (row.skip_reason) skip_reason = fields::name_of(*row.skip_reason);
    const std::string error = error_text(row.error);
    const Automation& automation = kept.automation;
    Query insert = connection.query(
        "INSERT INTO automation_runs (id, automation, owner, revision, trigger_type, key, due_ms,"
        " status, skip_reason, batch, fill_values, is_alone, max_attempts, backoff_s,"
        " not_before_ms, error, missed_count, created_ms, completed_ms, depth, token)"
        " VALUES (?1, ?2, (SELECT 2 * position + ?4 FROM users WHERE id = ?3), ?5, ?6, ?7, ?8,"
        " ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)"
        " ON CONFLICT DO NOTHING");
    insert.bind(row.id, kept.position, automation.owner.user, automation.owner.test,
                automation.revision, fields::name_of(row.trigger), row.key, row.scheduled_for,
                fields::name_of(row.status), skip_reason, row.batch, row.values,
                automation.overlap != Overlap::allow, row.max_attempts, row.backoff.count(),
                row.not_before, error, row.missed_count, row.created_at, row.completed_at,
                row.depth, row.token);
    return insert.run() > 0;
}

// Older rows give way: those that wait are cancelled here, the runs of the others are given.
std::vector<std::string> cancel_older(Connection& connection, std::int64_t automation,
                                      const std::optional<std::int64_t>& until, TimePoint now,
                                      RowEvents& events)
{
    std::vector<std::string> older;
    {
        Query select = connection.query(
            "SELECT id FROM automation_runs INDEXED BY unfinished_rows"
            " WHERE automation = ?1 AND status IN ('queued', 'running', 'waiting')"
            " AND (?2 IS NULL OR position <= ?2)");
        older = select.bind(automation, until).texts();
    }
    std::vector<std::string> runs;
    for (const std::string& id : older) {
        auto kept = find_row(connection, id);
        if (!kept) continue;
        if (kept->row.status == AutomationRunStatus::running) {
            mark_as_cancelled(connection, *kept);
            runs.push_back(kept->row.attempts.back().run);
            continue;
        }
        end_row(connection, *kept, AutomationRunStatus::cancelled, now);
        events.add(kept->row);
    }
    return runs;
}

void skip_if_paused(const Automation& automation, std::vector<AutomationRun>& rows)
{
    if (automation.state != AutomationState::paused) return;
    for (AutomationRun& row : rows) {
        row.status = AutomationRunStatus::skipped;
        row.skip_reason = SkipReason::paused;
    }
}

EnteredRows insert_rows(Connection& connection, const KeptAutomation& kept,
                        const std::vector<AutomationRun>& rows, RowEvents& events)
{
    RowEntry entry(connection, kept);
    EnteredRows entered{.are_new = false};
    for (const AutomationRun& row : rows)
        if (auto inserted = entry.insert(row, events)) entered.rows.push_back(std::move(*inserted));
    entered.are_new = !entered.rows.empty();
    entered.to_cancel = std::move(entry.to_cancel());
    return entered;
}

// No row once the root has led to too many; one of them says so.
EnteredRows insert_heard(Connection& connection, const KeptAutomation& kept,
                         const HeardEvents& heard, RowEvents& events)
{
    const std::string root = root_of(connection, kept.automation.owner, heard);
    const NextRow next = next_row_of(connection, root);
    if (next == NextRow::none) return {.are_new = false};
    AutomationRun row = *heard.row;
    if (next == NextRow::skipped) {
        row.status = AutomationRunStatus::skipped;
        row.skip_reason = SkipReason::loop;
        row.error.reset();
    }
    EnteredRows entered = insert_rows(connection, kept, {row}, events);
    for (const AutomationRun& each : entered.rows) set_root(connection, each.id, root);
    return entered;
}

}  // namespace

std::optional<std::string> row_with_key(Connection& connection, std::int64_t automation,
                                        TriggerType trigger, const std::string& key)
{
    Query select = connection.query(
        "SELECT id FROM automation_runs WHERE automation = ?1 AND trigger_type = ?2 AND key = ?3");
    if (!select.bind(automation, fields::name_of(trigger), key).next()) return std::nullopt;
    return select.only<std::string>();
}

UnfinishedRows unfinished_rows(Connection& connection, std::int64_t automation,
                               const std::optional<std::int64_t>& until)
{
    Query select = connection.query(
        "SELECT count(*) AS all_rows,"
        " coalesce(sum(CASE WHEN batch IS NULL THEN 1 ELSE 0 END), 0) AS in_line"
        " FROM automation_runs INDEXED BY unfinished_rows"
        " WHERE automation = ?1 AND status IN ('queued', 'running', 'waiting')"
        " AND (?2 IS NULL OR position <= ?2)");
    select.bind(automation, until).next();
    const auto& at = select.columns<CountColumns>();
    return {select[at.all], select[at.in_line]};
}

RowEntry::RowEntry(Connection& connection, const KeptAutomation& kept,
                   const std::optional<std::int64_t>& older_until)
    : connection_(connection),
      kept_(kept),
      older_until_(older_until),
      unfinished_(unfinished_rows(connection, kept.position, older_until)),
      gives_way_(kept.automation.overlap == Overlap::cancel && unfinished_.all > 0)
{
}

std::optional<AutomationRun> RowEntry::insert(AutomationRun row, RowEvents& events)
{
    const bool is_due = row.status == AutomationRunStatus::queued;
    if (is_due && std::exchange(gives_way_, false))
        to_cancel_ =
            cancel_older(connection_, kept_.position, older_until_, row.created_at, events);
    const auto reason =
        is_due ? skip_of(kept_.automation.overlap, unfinished_) : std::optional<SkipReason>();
    if (reason) {
        row.status = AutomationRunStatus::skipped;
        row.skip_reason = reason;
    }
    row.created_at = to_the_millisecond(row.created_at);
    row.scheduled_for = to_the_millisecond(row.scheduled_for);
    row.not_before = to_the_millisecond(row.not_before);
    if (has_ended(row.status)) {
        row.completed_at = row.created_at;
        row.not_before.reset();
    }
    if (!insert_row(connection_, kept_, row)) return std::nullopt;
    row.automation = kept_.automation.id;
    row.owner = kept_.automation.owner;
    row.revision = kept_.automation.revision;
    events.add(row);
    if (row.status == AutomationRunStatus::failed)
        note_failure(connection_, {.automation = kept_.position, .row = row}, row.created_at,
                     events);
    return row;
}

bool is_current(const std::optional<KeptAutomation>& kept, const DueEntry& entry)
{
    return kept && kept->automation.state == AutomationState::active &&
           kept->automation.revision == entry.revision &&
           kept->automation.evaluated_until == to_the_millisecond(entry.seen_until);
}

void advance(Connection& connection, std::int64_t automation, const DueEntry& entry)
{
    Query update = connection.query(
        "UPDATE automations SET evaluated_ms = ?2,"
        " next_ms = CASE WHEN state = 'active' THEN ?3 ELSE next_ms END,"
        " state = CASE WHEN ?4 = 1 AND state = 'active' THEN 'ended' ELSE state END"
        " WHERE position = ?1");
    update.bind(automation, entry.new_until, entry.next_at, entry.has_ended);
    update.run();
}

Result<std::vector<EnteredRows>> enter_due(Connection& connection,
                                           const std::vector<DueEntry>& entries)
{
    std::vector<EnteredRows> entered(entries.size(), EnteredRows{.are_new = false});
    std::deque<DueRows> due;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        connection.lock(Lock::automation, {entries[i].automation});
        auto kept = find_policies(connection, entries[i].automation);
        if (!is_current(kept, entries[i])) continue;
        due.emplace_back(connection, std::move(*kept), entries[i]);
        places.push_back(i);
    }
    EventsOfOwners events;
    enter_in_order(connection, due, events);
    for (std::size_t i = 0; i < due.size(); ++i) entered[places[i]] = std::move(due[i].entered);
    for (const auto& [owner, told] : events)
        told.record(connection, owner, {entries.front().now, {.depth = 1}});
    return entered;
}

Result<std::optional<EnteredRows>> enter_heard(Connection& connection, const HeardEvents& heard)
{
    connection.lock(Lock::automation, {heard.automation});
    const auto kept = find_policies(connection, heard.automation);
    if (!kept || kept->automation.state != AutomationState::active || !kept->automation.listens ||
        kept->automation.revision != heard.revision ||
        kept->automation.heard_until != heard.seen_until)
        return std::optional<EnteredRows>();
    RowEvents events;
    EnteredRows entered;
    if (heard.row) entered = insert_heard(connection, *kept, heard, events);
    Query update = connection.query("UPDATE automations SET heard_number = ?2 WHERE position = ?1");
    update.bind(kept->position, heard.new_until).run();
    events.record(connection, kept->automation.owner, {heard.now, heard.cause});
    return std::optional(std::move(entered));
}

Result<EnteredRows> add_rows(Connection& connection, const Owner& owner,
                             const std::vector<AutomationRun>& rows, const Cause& cause,
                             const std::optional<KeyClaim>& claim)
{
    if (rows.empty()) return EnteredRows{.are_new = false};
    std::optional<std::string> known;
    if (claim) {
        lock_key(connection, owner, *claim);
        auto before = made_before(connection, owner, *claim, Keyed::automation_run);
        if (!before) return before.error();
        known = std::move(*before);
    }
    connection.lock(Lock::automation, {rows.front().automation});
    const auto kept = find_automation(connection, owner, rows.front().automation);
    if (!kept) return not_found("The automation");
    EnteredRows all{.are_new = false};
    std::vector<AutomationRun> fresh;
    for (const AutomationRun& row : rows)
        if (!row_with_key(connection, kept->position, row.trigger, row.key)) fresh.push_back(row);
    RowEvents events;
    // Its row was removed since the key was looked up.
    if (std::ranges::any_of(fresh, [](const AutomationRun& row) { return row.values.empty(); }))
        return automation_was_changed();
    if (!fresh.empty()) {
        if (kept->automation.revision != fresh.front().revision) return automation_was_changed();
        if (fresh.front().trigger == TriggerType::hook)
            skip_if_paused(kept->automation, fresh);
        else if (kept->automation.overlap == Overlap::skip &&
                 unfinished_rows(connection, kept->position).all > 0)
            return automation_is_busy();
        EnteredRows entered = insert_rows(connection, *kept, fresh, events);
        all.are_new = entered.are_new;
        all.to_cancel = std::move(entered.to_cancel);
    }
    for (const AutomationRun& row : rows) {
        const auto id = row_with_key(connection, kept->position, row.trigger, row.key);
        auto found = id ? find_row(connection, *id) : std::nullopt;
        if (found) all.rows.push_back(std::move(found->row));
    }
    if (claim && !known && !all.rows.empty())
        bind_key(connection, owner, *claim, Keyed::automation_run, all.rows.front().id);
    if (!fresh.empty())
        events.record(connection, owner,
                      {fresh.front().created_at, with_depth(cause, fresh.front())});
    return all;
}

}  // namespace parley::store::sql
