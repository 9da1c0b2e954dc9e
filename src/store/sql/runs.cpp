#include "store/sql/runs.hpp"

#include "fields/write.hpp"
#include "store/sql/attempts.hpp"
#include "store/sql/begin_run.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/frames.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/people.hpp"
#include "store/sql/remove_run.hpp"
#include "store/sql/replicas.hpp"
#include "store/sql/run_list.hpp"
#include "store/sql/run_rows.hpp"
#include "store/sql/session_removal.hpp"
#include "store/sql/turns.hpp"
#include "store/sql/usage.hpp"

namespace parley::store::sql {
namespace {

Result<> start(Connection& connection, const std::string& id, TimePoint at, std::int64_t replica)
{
    if (auto leased = hold_lease(connection, replica); !leased) return leased;
    if (auto owned = require_ownership(connection, id, replica); !owned) return owned;
    Query update = connection.query(
        "UPDATE runs SET status = 'running', started_ms = ?2"
        " WHERE id = ?1 AND status = 'queued'");
    update.bind(id, at).run();
    return {};
}

void update(Connection& connection, std::int64_t position, const Run& run, bool events_kept)
{
    const UsageValues usage(run.usage);
    const std::string error = error_text(run.error);  // A query keeps no copy of what it is given.
    Query update = connection.query(
        "UPDATE runs SET status = ?2, started_ms = ?3, completed_ms = ?4, input_tokens = ?5,"
        " output_tokens = ?6, cached_input_tokens = ?7, error = ?8, history_from = ?9,"
        " last_number = ?10, frames_kept = ?11, frees_key = ?12, kept_since_ms = ?13"
        " WHERE position = ?1");
    update.bind(position, fields::name_of(run.status), run.started_at, run.completed_at,
                usage.input, usage.output, usage.cached, error, run.history_from, run.last_number,
                events_kept, run.frees_key, run.kept_since);
    update.send();
}

EventType told_end(RunStatus status)
{
    switch (status) {
        case RunStatus::failed:
            return EventType::run_failed;
        case RunStatus::cancelled:
            return EventType::run_cancelled;
        case RunStatus::interrupted:
            return EventType::run_interrupted;
        default:
            return EventType::run_completed;
    }
}

DailyUsage usage_of(const Run& run)
{
    return {.owner = run.owner,
            .model = run.model,
            .day = day_of(*run.completed_at),
            .requests = 1,
            .tokens = run.usage.value_or(Usage())};
}

Result<> finish(Connection& connection, const FinishedRun& finished)
{
    Lease lease(connection, finished.replica);
    if (finished.session.empty())
        connection.lock(Lock::session_of_run, {finished.run});
    else
        connection.lock(Lock::session, {finished.session});
    auto found = find_unfinished(connection, finished.run);
    if (auto held = lease.held(); !held) return held;
    if (!found) return not_found("The run");
    auto& [position, session, question_position, frames_kept, run] = found->kept;
    if (finished.replica != 0 && found->replica != finished.replica) return lost_ownership();
    if (has_ended(run.status)) return run_has_ended();

    if (found->has_answer) return new_id_is_there();

    // From here on, nothing is waited for but the commit.
    const Message answer = answer_of(run, finished);
    send_message(connection, session, &found->question, answer);
    store::finish(run, finished);
    update(connection, position, run, !finished.events.empty());
    if (!finished.events.empty()) insert_events(connection, position, finished.events);
    forget_journal(connection, position, finished.replica);
    note_activity(connection, session, {.at = finished.completed_at, .message = answer.id});
    SettledRow settled;
    if (!run.cause.automation_run.empty()) settled = settle(connection, run, finished);
    // All runs of the user wait for these two rows, so that they come last.
    if (run.started_at) add_usage(connection, usage_of(run));
    std::vector<NewEvent> events{{told_end(run.status), run.id, run.session}};
    settled.add_to(events);
    record_events(connection, run.owner, found->owner,
                  {finished.completed_at, settled.cause_of(run)}, events);
    return {};
}

Result<RunWithMessages> require_run(Connection& connection, const Owner& owner,
                                    const std::string& id)
{
    auto found = find_run(connection, id);
    if (!found || found->run.owner != owner) return not_found("The run");
    RunWithMessages run = whole(connection, std::move(*found));
    add_positions(connection, {&run, 1});
    return run;
}

Result<std::vector<RunWithMessages>> unfinished(Connection& connection)
{
    Query select =
        connection.query("SELECT " RUN_COLUMNS " FROM runs INDEXED BY unfinished_runs" JOIN_RUNS
                         " WHERE runs.completed_ms IS NULL ORDER BY runs.position");
    std::vector<RunWithMessages> runs;
    while (select.next()) runs.push_back(whole(connection, run_of(select)));
    return runs;
}

std::optional<std::int64_t> with_events(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT position FROM runs WHERE id = ?1 AND frames_kept = 1");
    if (!select.bind(id).next()) return std::nullopt;
    return select.only<std::int64_t>();
}

Result<std::string> read_events(Connection& connection, const std::string& id)
{
    const auto run = with_events(connection, id);
    auto events = run ? find_events(connection, *run) : std::nullopt;
    if (!events) return not_found("The stream of this run");
    return std::move(*events);
}

Result<std::vector<std::string>> read_old_frames(Connection& connection, const std::string& id,
                                                 std::int64_t after, std::size_t max_bytes)
{
    const auto run = with_events(connection, id);
    if (!run || find_events(connection, *run)) return not_found("The stream of this run");
    return old_frames_after(connection, *run, after, max_bytes);
}

Result<WritingRun> find_writing(Connection& connection, const Owner& owner,
                                const std::string& message)
{
    auto found = find_writing_run(connection, owner, message);
    if (!found) return not_found("The message");
    auto beside = children_of(connection, found->session, found->question);
    return WritingRun{whole(connection, std::move(*found)), std::move(beside)};
}

}  // namespace

Task<Result<BegunRun>> SqlRuns::begin_run(NewRun run)
{
    return writes_.run<BegunRun>(
        [run = std::move(run)](Connection& connection) { return begin(connection, run); });
}

Task<Result<>> SqlRuns::start_run(std::string run, TimePoint at, std::int64_t replica)
{
    return writes_.run<void>([run = std::move(run), at, replica](Connection& connection) {
        return start(connection, run, at, replica);
    });
}

Task<Result<std::vector<RunWithMessages>>> SqlRuns::claim_runs(std::int64_t replica,
                                                               std::size_t servers)
{
    return writes_.run<std::vector<RunWithMessages>>([replica, servers](Connection& connection) {
        return sql::claim_runs(connection, replica, servers);
    });
}

Task<Result<std::optional<RunWithMessages>>> SqlRuns::take_turn(TurnRequest wanted)
{
    return writes_.run<std::optional<RunWithMessages>>(
        [wanted = std::move(wanted)](Connection& connection) {
            return sql::take_turn(connection, wanted);
        });
}

Task<Result<>> SqlRuns::ask_to_cancel(std::string run)
{
    return writes_.run<void>([run = std::move(run)](Connection& connection) {
        return sql::ask_to_cancel(connection, run);
    });
}

Task<Result<>> SqlRuns::finish_run(FinishedRun finished)
{
    return writes_.run<void>([finished = std::move(finished)](Connection& connection) {
        return finish(connection, finished);
    });
}

Task<Result<RunWithMessages>> SqlRuns::find_run(Owner owner, std::string id)
{
    return reads_.run<RunWithMessages>(
        [owner = std::move(owner), id = std::move(id)](Connection& connection) {
            return require_run(connection, owner, id);
        });
}

Task<Result<RemovedRun>> SqlRuns::remove_run(Owner owner, std::string id, TimePoint now,
                                             Cause cause)
{
    auto removal = co_await writes_.run<RunRemoval>(
        [owner = std::move(owner), id = std::move(id), now, cause = std::move(cause)](
            Connection& connection) { return remove(connection, owner, id, {now, cause}); });
    if (!removal) co_return removal.error();
    if (removal->has_hidden) co_await delete_hidden(writes_);
    co_return std::move(removal->removed);
}

Task<Result<std::vector<RunWithMessages>>> SqlRuns::unfinished_runs()
{
    return reads_.run<std::vector<RunWithMessages>>(unfinished);
}

Task<Result<WritingRun>> SqlRuns::find_writing_run(Owner owner, std::string message)
{
    return reads_.run<WritingRun>(
        [owner = std::move(owner), message = std::move(message)](Connection& connection) {
            return find_writing(connection, owner, message);
        });
}

Task<Result<RunPage>> SqlRuns::list_runs(Owner owner, RunFilter filter,
                                         std::optional<Position> after, std::size_t limit)
{
    return reads_.run<RunPage>([owner = std::move(owner), filter = std::move(filter), after,
                                limit](Connection& connection) {
        return page_of_runs(connection, owner, filter, after, limit);
    });
}

Task<Result<std::string>> SqlRuns::events(std::string run)
{
    return reads_.run<std::string>(
        [run = std::move(run)](Connection& connection) { return read_events(connection, run); });
}

Task<Result<std::vector<std::string>>> SqlRuns::old_frames(std::string run, std::int64_t after,
                                                           std::size_t max_bytes)
{
    return reads_.run<std::vector<std::string>>(
        [run = std::move(run), after, max_bytes](Connection& connection) {
            return read_old_frames(connection, run, after, max_bytes);
        });
}

Task<Result<std::optional<RunWithMessages>>> SqlRuns::find_replay(Owner owner, KeyClaim key)
{
    return reads_.run<std::optional<RunWithMessages>>(
        [owner = std::move(owner), key = std::move(key)](Connection& connection) {
            return sql::find_replay(connection, owner, key);
        });
}

Task<Result<bool>> SqlRuns::is_replay(Owner owner, KeyClaim key)
{
    return reads_.run<bool>(
        [owner = std::move(owner), key = std::move(key)](Connection& connection) -> Result<bool> {
            const auto bound = find_key(connection, owner, key);
            return bound && bound->fingerprint == key.fingerprint;
        });
}

Task<Result<std::size_t>> SqlRuns::sweep_runs(TimePoint events_before, TimePoint now,
                                              std::size_t most)
{
    return writes_.run<std::size_t>([events_before, now,
                                     most](Connection& connection) -> Result<std::size_t> {
        return forget_events(connection, events_before, most) + forget_keys(connection, now, most);
    });
}

}  // namespace parley::store::sql
