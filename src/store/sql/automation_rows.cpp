#include "store/sql/automation_rows.hpp"

#include "fields/write.hpp"
#include "store/ledger_rules.hpp"
#include "store/sql/hook_rows.hpp"
#include "store/sql/run_rows.hpp"

namespace parley::store::sql {
namespace {

struct AutomationColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::string> name{*in, "name"};
    Column<std::string> name_key{*in, "name_key"};
    Column<Overlap> overlap{*in, "overlap"};
    Column<std::optional<std::int64_t>> pause_after{*in, "pause_after_failures"};
    Column<std::optional<std::int64_t>> tokens_per_day{*in, "output_tokens_per_day"};
    Column<AutomationState> state{*in, "state"};
    Column<std::optional<PauseReason>> pause_reason{*in, "pause_reason"};
    Column<std::optional<std::string>> session{*in, "session"};
    Column<TimePoint> evaluated_until{*in, "evaluated_ms"};
    Column<std::optional<TimePoint>> next_at{*in, "next_ms"};
    Column<bool> listens{*in, "listens"};
    Column<std::int64_t> heard_until{*in, "heard_number"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<TimePoint> updated_at{*in, "updated_ms"};
    Column<std::int64_t> revision{*in, "revision"};
    Column<std::int64_t> failures{*in, "failures"};
    Column<std::string> definition{*in, "definition"};
};

struct LedgerColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::int64_t> automation{*in, "automation"};
    Column<std::string> automation_id{*in, "automation_id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::int64_t> revision{*in, "revision"};
    Column<TriggerType> trigger{*in, "trigger_type"};
    Column<std::string> key{*in, "key"};
    Column<TimePoint> scheduled_for{*in, "due_ms"};
    Column<AutomationRunStatus> status{*in, "status"};
    Column<std::optional<SkipReason>> skip_reason{*in, "skip_reason"};
    Column<std::optional<std::string>> batch{*in, "batch"};
    Column<std::string> values{*in, "fill_values"};
    Column<bool> is_alone{*in, "is_alone"};
    Column<std::int64_t> max_attempts{*in, "max_attempts"};
    Column<std::int64_t> backoff{*in, "backoff_s"};
    Column<std::optional<TimePoint>> not_before{*in, "not_before_ms"};
    Column<std::optional<std::string>> session{*in, "session"};
    Column<std::optional<std::string>> question{*in, "question"};
    Column<std::string_view> error{*in, "error"};
    Column<std::optional<std::int64_t>> missed_count{*in, "missed_count"};
    Column<std::int64_t> depth{*in, "depth"};
    Column<std::optional<std::string>> token{*in, "by_token"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<std::optional<TimePoint>> started_at{*in, "started_ms"};
    Column<std::optional<TimePoint>> completed_at{*in, "completed_ms"};
    Column<std::string> definition{*in, "definition"};
};

struct AttemptColumns {
    const Statement* in;
    Column<std::int64_t> number{*in, "number"};
    Column<std::string> run{*in, "run"};
    Column<RunStatus> status{*in, "status"};
    Column<std::string_view> error{*in, "error"};
    Column<TimePoint> started_at{*in, "started_ms"};
    Column<std::optional<TimePoint>> completed_at{*in, "completed_ms"};
    Column<std::optional<std::int64_t>> input_tokens{*in, "input_tokens"};
    Column<std::int64_t> output_tokens{*in, "output_tokens"};
    Column<std::int64_t> cached_input_tokens{*in, "cached_input_tokens"};
};

std::optional<std::string> last_run_of(Connection& connection, std::int64_t automation)
{
    // Without an equation PostgreSQL cannot ignore the index: it would read all rows of others that
    // are newer.
    Query select = connection.query(
        "SELECT id FROM automation_runs INDEXED BY rows_of_automation"
        " WHERE (automation, position) > (?1, 0) AND (automation, position) < (?1 + 1, 0)"
        " ORDER BY automation DESC, position DESC LIMIT 1");
    if (!select.bind(automation).next()) return std::nullopt;
    return select.only<std::string>();
}

std::vector<Attempt> attempts_of(Connection& connection, std::int64_t row)
{
    Query select = connection.query(
        "SELECT number, run, status, error, started_ms, completed_ms, input_tokens,"
        " output_tokens, cached_input_tokens FROM attempts WHERE row = ?1 ORDER BY number");
    select.bind(row);
    std::vector<Attempt> attempts;
    while (select.next()) {
        const auto& at = select.columns<AttemptColumns>();
        Attempt attempt{.number = select[at.number],
                        .run = select[at.run],
                        .status = select[at.status],
                        .error = error_of(select[at.error]),
                        .started_at = select[at.started_at],
                        .completed_at = select[at.completed_at]};
        if (const auto input = select[at.input_tokens])
            attempt.usage = {*input, select[at.output_tokens], select[at.cached_input_tokens]};
        attempts.push_back(std::move(attempt));
    }
    return attempts;
}

}  // namespace

KeptAutomation scheduled_automation_of(const Query& row)
{
    const auto& at = row.columns<AutomationColumns>();
    return {row[at.position],
            {.id = row[at.id],
             .owner = {row[at.user], row[at.test]},
             .name = row[at.name],
             .name_key = row[at.name_key],
             .definition = row[at.definition],
             .overlap = row[at.overlap],
             .pause_after_failures = row[at.pause_after],
             .output_tokens_per_day = row[at.tokens_per_day],
             .state = row[at.state],
             .pause_reason = row[at.pause_reason],
             .session = row[at.session],
             .evaluated_until = row[at.evaluated_until],
             .next_at = row[at.next_at],
             .listens = row[at.listens],
             .created_at = row[at.created_at],
             .updated_at = row[at.updated_at],
             .revision = row[at.revision],
             .failures = row[at.failures],
             .heard_until = row[at.heard_until]}};
}

KeptAutomation automation_of(Connection& connection, const Query& row)
{
    KeptAutomation kept = scheduled_automation_of(row);
    kept.automation.hook = hook_of(connection, kept.position);
    kept.automation.last_run = last_run_of(connection, kept.position);
    return kept;
}

std::optional<KeptAutomation> find_automation(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT " AUTOMATION_COLUMNS " FROM automations" JOIN_DEFINITION
                                    " WHERE automations.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return automation_of(connection, select);
}

std::optional<KeptAutomation> find_automation(Connection& connection, const Owner& owner,
                                              const std::string& id)
{
    auto found = find_automation(connection, id);
    if (!found || found->automation.owner != owner) return std::nullopt;
    return found;
}

KeptRow ledger_row_of(Connection& connection, const Query& row)
{
    const auto& at = row.columns<LedgerColumns>();
    const std::int64_t position = row[at.position];
    return {.position = position,
            .automation = row[at.automation],
            .is_alone = row[at.is_alone],
            .row = {.id = row[at.id],
                    .automation = row[at.automation_id],
                    .owner = {row[at.user], row[at.test]},
                    .revision = row[at.revision],
                    .trigger = row[at.trigger],
                    .key = row[at.key],
                    .scheduled_for = row[at.scheduled_for],
                    .status = row[at.status],
                    .skip_reason = row[at.skip_reason],
                    .batch = row[at.batch],
                    .values = row[at.values],
                    .max_attempts = row[at.max_attempts],
                    .backoff = std::chrono::seconds(row[at.backoff]),
                    .not_before = row[at.not_before],
                    .error = error_of(row[at.error]),
                    .missed_count = row[at.missed_count],
                    .depth = row[at.depth],
                    .token = row[at.token],
                    .created_at = row[at.created_at],
                    .started_at = row[at.started_at],
                    .completed_at = row[at.completed_at],
                    .definition = row[at.definition],
                    .session = row[at.session],
                    .question = row[at.question],
                    .attempts = attempts_of(connection, position)}};
}

std::optional<KeptRow> find_row(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT " LEDGER_COLUMNS " FROM automation_runs" JOIN_LEDGER
                                    " WHERE automation_runs.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return ledger_row_of(connection, select);
}

std::optional<KeptRow> find_row(Connection& connection, const Owner& owner, const std::string& id)
{
    auto found = find_row(connection, id);
    if (!found || found->row.owner != owner) return std::nullopt;
    return found;
}

void update_row(Connection& connection, std::int64_t position, const AutomationRun& row)
{
    std::optional<std::string_view> skip_reason;
    if (row.skip_reason) skip_reason = fields::name_of(*row.skip_reason);
    const std::string error = error_text(row.error);
    Query update = connection.query(
        "UPDATE automation_runs SET status = ?2, skip_reason = ?3, max_attempts = ?4,"
        " not_before_ms = ?5, session = ?6, question = ?7, error = ?8, started_ms = ?9,"
        " completed_ms = ?10, token = ?11 WHERE position = ?1");
    update.bind(position, fields::name_of(row.status), skip_reason, row.max_attempts,
                row.not_before, row.session, row.question, error, row.started_at, row.completed_at,
                row.token);
    update.run();
}

void end_row(Connection& connection, KeptRow& kept, AutomationRunStatus status, TimePoint now)
{
    kept.row.status = status;
    kept.row.not_before.reset();
    kept.row.completed_at = to_the_millisecond(now);
    update_row(connection, kept.position, kept.row);
}

void mark_as_cancelled(Connection& connection, const KeptRow& kept)
{
    Query update =
        connection.query("UPDATE automation_runs SET max_attempts = 0 WHERE position = ?1");
    update.bind(kept.position).run();
}

Cause cause_of(const AutomationRun& row)
{
    return {.automation = row.automation, .automation_run = row.id, .depth = row.depth};
}

Cause with_depth(Cause cause, const AutomationRun& row)
{
    cause.depth = row.depth;
    return cause;
}

void RowEvents::add(EventType type, std::string subject, std::string parent)
{
    events_.push_back({type, std::move(subject), std::move(parent)});
}

void RowEvents::add(const AutomationRun& row) { add(event_of(row.status), row.id, row.automation); }

void RowEvents::add_to(std::vector<NewEvent>& events) const
{
    for (const Texts& each : events_) events.push_back({each.type, each.subject, each.parent});
}

void RowEvents::record(Connection& connection, const Owner& owner, const Occasion& occasion) const
{
    std::vector<NewEvent> events;
    add_to(events);
    sql::record_events(connection, owner, occasion, events);
}

}  // namespace parley::store::sql
