#include "store/memory/runs.hpp"

#include <algorithm>

namespace parley::store {
namespace {

Result<BegunRun> replay(Chats& chats, const std::string& run)
{
    const Chats::KeptRun* found = chats.find_run(run);
    if (!found) return not_found("The run");
    return BegunRun{chats.whole(found->run), true};
}

// The session that the run is to be in, which may still have to be made, and the message that
// stands where it begins: the one that the place names; for Newest, the newest; for a beginning
// none.
struct Spot {
    Session session = {};
    const Message* message = nullptr;
};

Result<Spot> spot_of(Chats& chats, const NewRun& wanted)
{
    const Owner& owner = wanted.run.owner;
    Spot spot;
    std::string session_id = wanted.run.session;
    if (const std::string* id = message_named_by(wanted.place)) {
        spot.message = chats.find_message(owner, *id);
        if (!spot.message) return not_found("The message");
        if (session_id.empty()) session_id = spot.message->session;
    }
    if (wanted.new_session) {
        spot.session = *wanted.new_session;
        spot.session.owner = owner;
        make_new(spot.session);
    } else {
        const Session* found = chats.find_session(owner, session_id);
        if (!found) return not_found("The session");
        spot.session = *found;
    }
    if (spot.message && spot.message->session != spot.session.id) return not_found("The message");
    if (std::holds_alternative<Newest>(wanted.place) && spot.session.newest_message)
        spot.message = chats.find_message(*spot.session.newest_message);
    return spot;
}

// Nothing was changed before this, and nothing can go wrong after it but what it says.
Result<Run> store_begun(Chats& chats, const NewRun& wanted, const Spot& spot)
{
    const bool again = std::holds_alternative<Again>(wanted.place);
    const std::string question = again ? spot.message->id : question_of(wanted).id;
    const auto is_there = [&](const Message& said) { return chats.find_message(said.id); };
    if (chats.find_run(wanted.run.id) || (!again && chats.find_message(question)) ||
        std::ranges::any_of(wanted.earlier, is_there))
        return new_id_is_there();
    if (wanted.new_session && !chats.add(spot.session)) return session_is_there();
    Session& session = *chats.find_session(spot.session.owner, spot.session.id);
    if (takes_title(session, wanted)) {
        session.title = wanted.title;
        session.title_key = wanted.title_key;
    }
    std::optional<std::string> above;
    if (spot.message) above = spot.message->id;
    const auto add = [&](Message message) {
        message.session = session.id;
        message.parent = std::exchange(above, message.id);
        chats.add(std::move(message));
    };
    for (const Message& said : wanted.earlier) {
        add(said);
        chats.note_activity(session.id, wanted.run.created_at, chats.find_message(said.id));
    }
    if (!again) add(question_of(wanted));
    Run run = begun(wanted, session, question);
    chats.add(run);
    chats.note_activity(session.id, run.created_at, again ? nullptr : chats.find_message(question));
    return run;
}

}  // namespace

Task<Result<BegunRun>> MemoryRuns::begin_run(NewRun wanted)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    const Owner owner = wanted.run.owner;
    if (wanted.key) {
        const auto made = chats_.made_before(owner, *wanted.key, Keyed::run);
        if (!made) co_return made.error();
        if (*made) co_return replay(chats_, **made);
    }
    if (wanted.new_session && !people_.find_user(owner.user)) co_return not_found("The user");

    const auto spot = spot_of(chats_, wanted);
    if (!spot) co_return spot.error();
    if (auto may = may_begin(wanted.place, spot->message, spot->session); !may)
        co_return may.error();
    auto run = store_begun(chats_, wanted, *spot);
    if (!run) co_return run.error();
    if (wanted.key) chats_.bind_key(owner, *wanted.key, Keyed::run, run->id);
    co_return BegunRun{chats_.whole(*run), false};
}

Task<Result<>> MemoryRuns::start_run(std::string run, TimePoint at)
{
    const std::lock_guard lock(chats_.mutex);
    Chats::KeptRun* found = chats_.find_run(run);
    if (found && found->run.status == RunStatus::queued) {
        found->run.status = RunStatus::running;
        found->run.started_at = to_the_millisecond(at);
    }
    co_return Result<>();
}

Task<Result<>> MemoryRuns::finish_run(FinishedRun finished)
{
    const std::lock_guard lock(chats_.mutex);
    Chats::KeptRun* found = chats_.find_run(finished.run);
    if (!found) co_return not_found("The run");
    Run& run = found->run;
    if (has_ended(run.status)) co_return run_has_ended();

    Message answer = answer_of(run, finished);
    answer.session = run.session;
    answer.parent = run.question;
    if (!chats_.add(std::move(answer))) co_return new_id_is_there();
    finish(run, finished);
    found->frames = std::move(finished.frames);
    chats_.end_run(run);
    chats_.note_activity(run.session, finished.completed_at, chats_.find_message(run.answer));
    co_return Result<>();
}

Task<Result<WholeRun>> MemoryRuns::find_run(Owner owner, std::string id)
{
    const std::lock_guard lock(chats_.mutex);
    const Chats::KeptRun* found = chats_.find_run(id);
    if (!found || found->run.owner != owner) co_return not_found("The run");
    co_return chats_.whole(found->run);
}

Task<Result<std::vector<WholeRun>>> MemoryRuns::unfinished_runs()
{
    const std::lock_guard lock(chats_.mutex);
    std::vector<WholeRun> runs;
    for (const auto& [position, kept] : chats_.runs())
        if (!has_ended(kept.run.status)) runs.push_back(chats_.whole(kept.run));
    co_return runs;
}

Task<Result<std::vector<std::string>>> MemoryRuns::frames(std::string run, std::int64_t after,
                                                          std::size_t max_bytes)
{
    const std::lock_guard lock(chats_.mutex);
    const Chats::KeptRun* found = chats_.find_run(run);
    if (!found || found->frames.empty()) co_return not_found("The stream of this run");
    const auto count = static_cast<std::int64_t>(found->frames.size());
    std::vector<std::string> frames;
    std::size_t size = 0;
    for (auto i = std::clamp<std::int64_t>(after, 0, count); i < count; ++i) {
        const std::string& frame = found->frames[static_cast<std::size_t>(i)];
        size += frame.size();
        if (!frames.empty() && size > max_bytes) break;
        frames.push_back(frame);
    }
    co_return frames;
}

Task<Result<bool>> MemoryRuns::is_replay(Owner owner, KeyClaim key)
{
    const std::lock_guard lock(chats_.mutex);
    const auto bound = chats_.find_key(owner, key);
    co_return bound && bound->fingerprint == key.fingerprint;
}

Task<Result<std::size_t>> MemoryRuns::sweep_runs(TimePoint frames_before, TimePoint now,
                                                 std::size_t most)
{
    const std::lock_guard lock(chats_.mutex);
    std::size_t swept = 0;
    for (auto& [position, kept] : chats_.runs()) {
        if (swept == most) break;
        if (kept.frames.empty() || !kept.run.completed_at) continue;
        if (*kept.run.completed_at >= to_the_millisecond(frames_before)) continue;
        kept.frames.clear();
        kept.frames.shrink_to_fit();
        ++swept;
    }
    co_return swept + chats_.forget_keys(now, most);
}

}  // namespace parley::store
