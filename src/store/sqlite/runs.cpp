#include "store/sqlite/runs.hpp"

#include "base/field_write.hpp"
#include "store/sqlite/begin_run.hpp"
#include "store/sqlite/frames.hpp"
#include "store/sqlite/idempotency.hpp"
#include "store/sqlite/people.hpp"
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

void update(Database& database, std::int64_t position, const Run& run, bool frames_kept)
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
        " last_number = ?10, frames_kept = ?11 WHERE position = ?1");
    update.bind(position, wire::name_of(run.status), to_ms(run.started_at), to_ms(run.completed_at),
                input, output, cached, run.error, run.history_from, run.last_number, frames_kept);
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
    update(database, position, run, !finished.frames.empty());
    insert_frames(database, position, finished.frames);
    note_activity(database, session, {.at = finished.completed_at, .message = answer.id});
    return {};
}

Result<WholeRun> find(Database& database, const Owner& owner, const std::string& id)
{
    auto found = find_run(database, id);
    if (!found || found->run.owner != owner) return not_found("The run");
    return whole(database, std::move(*found));
}

Result<std::vector<WholeRun>> unfinished(Database& database)
{
    Query select =
        database.query("SELECT " RUN_COLUMNS " FROM runs INDEXED BY unfinished_runs" JOIN_RUNS
                       " WHERE runs.completed_ms IS NULL ORDER BY runs.position");
    std::vector<WholeRun> runs;
    while (select.next()) runs.push_back(whole(database, run_of(select)));
    return runs;
}

Result<std::vector<std::string>> read_frames(Database& database, const std::string& id,
                                             std::int64_t after, std::size_t max_bytes)
{
    Query select = database.query("SELECT position FROM runs WHERE id = ?1 AND frames_kept = 1");
    if (!select.bind(id).next()) return not_found("The stream of this run");
    return frames_after(database, select.integer(0), after, max_bytes);
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

Task<Result<WholeRun>> SqliteRuns::find_run(Owner owner, std::string id)
{
    return readers_.read<WholeRun>([owner = std::move(owner), id = std::move(id)](
                                       Database& database) { return find(database, owner, id); });
}

Task<Result<std::vector<WholeRun>>> SqliteRuns::unfinished_runs()
{
    return readers_.read<std::vector<WholeRun>>(unfinished);
}

Task<Result<std::vector<std::string>>> SqliteRuns::frames(std::string run, std::int64_t after,
                                                          std::size_t max_bytes)
{
    return readers_.read<std::vector<std::string>>(
        [run = std::move(run), after, max_bytes](Database& database) {
            return read_frames(database, run, after, max_bytes);
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

Task<Result<std::size_t>> SqliteRuns::sweep_runs(TimePoint frames_before, TimePoint now,
                                                 std::size_t most)
{
    return writer_.write<std::size_t>(
        [frames_before, now, most](Database& database) -> Result<std::size_t> {
            return forget_frames(database, to_ms(frames_before), most) +
                   forget_keys(database, now, most);
        });
}

}  // namespace parley::store::sqlite
