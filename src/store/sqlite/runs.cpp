#include "store/sqlite/runs.hpp"

#include "base/field_write.hpp"
#include "store/sqlite/begin_run.hpp"
#include "store/sqlite/frames.hpp"
#include "store/sqlite/idempotency.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/run_list.hpp"
#include "store/sqlite/run_rows.hpp"
#include "store/sqlite/time.hpp"

namespace parley::store::sqlite {
namespace {

Result<> start(Database& database, const std::string& id, TimePoint at)
{
    Query update = database.query(
        "UPDATE runs SET status = 'running', started_ms = ?2"
        " WHERE id = ?1 AND status = 'queued'");
    update.bind(id, to_ms(at)).run();
    return {};
}

void update(Database& database, std::int64_t position, const Run& run, bool events_kept)
{
    std::optional<std::int64_t> input;
    std::optional<std::int64_t> output;
    std::optional<std::int64_t> cached;
    if (run.usage) {
        input = run.usage->input_tokens;
        output = run.usage->output_tokens;
        cached = run.usage->cached_input_tokens;
    }
    Query update = database.query(
        "UPDATE runs SET status = ?2, started_ms = ?3, completed_ms = ?4, input_tokens = ?5,"
        " output_tokens = ?6, cached_input_tokens = ?7, error = ?8, history_from = ?9,"
        " last_number = ?10, frames_kept = ?11, frees_key = ?12, kept_since_ms = ?13"
        " WHERE position = ?1");
    update.bind(position, wire::name_of(run.status), to_ms(run.started_at), to_ms(run.completed_at),
                input, output, cached, run.error, run.history_from, run.last_number, events_kept,
                run.frees_key, to_ms(run.kept_since));
    update.run();
}

Result<> finish(Database& database, const FinishedRun& finished)
{
    auto found = find_run(database, finished.run);
    if (!found) return not_found("The run");
    auto& [position, session, question_position, frames_kept, run] = *found;
    if (has_ended(run.status)) return run_has_ended();

    const KeptMessage question = message_at(database, question_position);
    const Message answer = answer_of(run, finished);
    if (!insert_message(database, session, &question, answer)) return new_id_is_there();
    store::finish(run, finished);
    update(database, position, run, !finished.events.empty());
    if (!finished.events.empty()) insert_events(database, position, finished.events);
    note_activity(database, session, {.at = finished.completed_at, .message = answer.id});
    return {};
}

Result<RunWithMessages> find(Database& database, const Owner& owner, const std::string& id)
{
    auto found = find_run(database, id);
    if (!found || found->run.owner != owner) return not_found("The run");
    return whole(database, std::move(*found));
}

Result<std::vector<RunWithMessages>> unfinished(Database& database)
{
    Query select =
        database.query("SELECT " RUN_COLUMNS " FROM runs INDEXED BY unfinished_runs" JOIN_RUNS
                       " WHERE runs.completed_ms IS NULL ORDER BY runs.position");
    std::vector<RunWithMessages> runs;
    while (select.next()) runs.push_back(whole(database, run_of(select)));
    return runs;
}

std::optional<std::int64_t> with_events(Database& database, const std::string& id)
{
    Query select = database.query("SELECT position FROM runs WHERE id = ?1 AND frames_kept = 1");
    if (!select.bind(id).next()) return std::nullopt;
    return select.integer(0);
}

Result<std::string> read_events(Database& database, const std::string& id)
{
    const auto run = with_events(database, id);
    auto events = run ? find_events(database, *run) : std::nullopt;
    if (!events) return not_found("The stream of this run");
    return std::move(*events);
}

Result<std::vector<std::string>> read_old_frames(Database& database, const std::string& id,
                                                 std::int64_t after, std::size_t max_bytes)
{
    const auto run = with_events(database, id);
    if (!run || find_events(database, *run)) return not_found("The stream of this run");
    return old_frames_after(database, *run, after, max_bytes);
}

Result<WritingRun> find_writing(Database& database, const Owner& owner, const std::string& message)
{
    auto found = find_writing_run(database, owner, message);
    if (!found) return not_found("The message");
    auto beside = children_of(database, found->session, found->question);
    return WritingRun{whole(database, std::move(*found)), std::move(beside)};
}

}  // namespace

Task<Result<BegunRun>> SqliteRuns::begin_run(NewRun run)
{
    return writer_.write<BegunRun>(
        [run = std::move(run)](Database& database) { return begin(database, run); });
}

Task<Result<>> SqliteRuns::start_run(std::string run, TimePoint at)
{
    return writer_.write<void>(
        [run = std::move(run), at](Database& database) { return start(database, run, at); });
}

Task<Result<>> SqliteRuns::finish_run(FinishedRun finished)
{
    return writer_.write<void>([finished = std::move(finished)](Database& database) {
        return finish(database, finished);
    });
}

Task<Result<RunWithMessages>> SqliteRuns::find_run(Owner owner, std::string id)
{
    return readers_.read<RunWithMessages>(
        [owner = std::move(owner), id = std::move(id)](Database& database) {
            return find(database, owner, id);
        });
}

Task<Result<std::vector<RunWithMessages>>> SqliteRuns::unfinished_runs()
{
    return readers_.read<std::vector<RunWithMessages>>(unfinished);
}

Task<Result<WritingRun>> SqliteRuns::find_writing_run(Owner owner, std::string message)
{
    return readers_.read<WritingRun>(
        [owner = std::move(owner), message = std::move(message)](Database& database) {
            return find_writing(database, owner, message);
        });
}

Task<Result<RunPage>> SqliteRuns::list_runs(Owner owner, RunFilter filter,
                                            std::optional<Position> after, std::size_t limit)
{
    return readers_.read<RunPage>(
        [owner = std::move(owner), filter = std::move(filter), after, limit](Database& database) {
            return page_of_runs(database, owner, filter, after, limit);
        });
}

Task<Result<std::string>> SqliteRuns::events(std::string run)
{
    return readers_.read<std::string>(
        [run = std::move(run)](Database& database) { return read_events(database, run); });
}

Task<Result<std::vector<std::string>>> SqliteRuns::old_frames(std::string run, std::int64_t after,
                                                              std::size_t max_bytes)
{
    return readers_.read<std::vector<std::string>>(
        [run = std::move(run), after, max_bytes](Database& database) {
            return read_old_frames(database, run, after, max_bytes);
        });
}

Task<Result<std::optional<RunWithMessages>>> SqliteRuns::find_replay(Owner owner, KeyClaim key)
{
    return readers_.read<std::optional<RunWithMessages>>(
        [owner = std::move(owner), key = std::move(key)](Database& database) {
            return sqlite::find_replay(database, owner, key);
        });
}

Task<Result<bool>> SqliteRuns::is_replay(Owner owner, KeyClaim key)
{
    return readers_.read<bool>(
        [owner = std::move(owner), key = std::move(key)](Database& database) -> Result<bool> {
            const auto bound = find_key(database, owner, key);
            return bound && bound->fingerprint == key.fingerprint;
        });
}

Task<Result<std::size_t>> SqliteRuns::sweep_runs(TimePoint events_before, TimePoint now,
                                                 std::size_t most)
{
    return writer_.write<std::size_t>(
        [events_before, now, most](Database& database) -> Result<std::size_t> {
            return forget_events(database, to_ms(events_before), most) +
                   forget_keys(database, now, most);
        });
}

}  // namespace parley::store::sqlite
