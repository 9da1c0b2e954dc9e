#include "store/memory/runs.hpp"

#include <algorithm>
#include <ranges>

namespace parley::store {
namespace {

Result<std::optional<RunWithMessages>> replay(const Chats& chats, const Owner& owner,
                                              const KeyClaim& claim)
{
    const auto made = chats.made_before(owner, claim, Keyed::run);
    if (!made) return made.error();
    if (!*made) return std::optional<RunWithMessages>();
    const Chats::KeptRun* found = chats.find_run(**made);
    if (!found) return not_found("The run");
    return std::optional(chats.whole(found->run));
}

const Run* writing_run(Chats& chats, const Owner& owner, const std::string& message)
{
    for (const auto& [position, kept] : chats.runs())
        if (kept.run.answer == message && kept.run.owner == owner && !has_ended(kept.run.status))
            return &kept.run;
    return nullptr;
}

// The session that the run is to be in, which may still have to be made, and the message that
// stands where it begins: the one that the place names; for Newest, the newest; for a beginning
// none.
struct Spot {
    Session session = {};
    const Message* message = nullptr;
    bool is_answering = false;  // A run answers the question there.
};

bool is_being_answered(Chats& chats, const Message& message)
{
    const auto question = question_at(message);
    const auto answers_it = [&](const std::string& run) {
        return chats.find_run(run)->run.question == *question;
    };
    return question && std::ranges::any_of(chats.session(message.session).active_runs, answers_it);
}

// A message that is not there: perhaps one that is being written.
Error missing(Chats& chats, const NewRun& wanted, const std::string& message)
{
    const Run* writing = writing_run(chats, wanted.run.owner, message);
    const bool is_elsewhere =
        writing && !wanted.run.session.empty() && wanted.run.session != writing->session;
    if (!writing || is_elsewhere) return not_found("The message");
    if (std::holds_alternative<Again>(wanted.place)) return not_a_question();
    return session_is_busy(chats.session(writing->session).active_runs);
}

Result<Spot> spot_of(Chats& chats, const NewRun& wanted)
{
    const Owner& owner = wanted.run.owner;
    Spot spot;
    std::string session_id = wanted.run.session;
    if (const std::string* id = message_named_by(wanted.place)) {
        spot.message = chats.find_message(owner, *id);
        if (!spot.message) return missing(chats, wanted, *id);
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
    spot.is_answering = spot.message && is_being_answered(chats, *spot.message);
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
        auto replayed = replay(chats_, owner, *wanted.key);
        if (!replayed) co_return replayed.error();
        if (*replayed) co_return BegunRun{std::move(**replayed), true};
        if (const Run* failed = chats_.find_freed_run(owner, *wanted.key))
            wanted = asked_again(std::move(wanted), *failed);
    }
    if (wanted.new_session && !people_.find_user(owner.user)) co_return not_found("The user");

    const auto spot = spot_of(chats_, wanted);
    if (!spot) co_return spot.error();
    const auto may = may_begin(wanted.place, spot->message, spot->is_answering, spot->session);
    if (!may) co_return may.error();
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
    found->events = std::move(finished.events);
    chats_.end_run(run);
    chats_.note_activity(run.session, finished.completed_at, chats_.find_message(run.answer));
    co_return Result<>();
}

Task<Result<RunWithMessages>> MemoryRuns::find_run(Owner owner, std::string id)
{
    const std::lock_guard lock(chats_.mutex);
    const Chats::KeptRun* found = chats_.find_run(id);
    if (!found || found->run.owner != owner) co_return not_found("The run");
    co_return chats_.whole(found->run);
}

Task<Result<std::vector<RunWithMessages>>> MemoryRuns::unfinished_runs()
{
    const std::lock_guard lock(chats_.mutex);
    std::vector<RunWithMessages> runs;
    for (const auto& [position, kept] : chats_.runs())
        if (!has_ended(kept.run.status)) runs.push_back(chats_.whole(kept.run));
    co_return runs;
}

Task<Result<WritingRun>> MemoryRuns::find_writing_run(Owner owner, std::string message)
{
    const std::lock_guard lock(chats_.mutex);
    const Run* found = writing_run(chats_, owner, message);
    if (!found) co_return not_found("The message");
    co_return WritingRun{chats_.whole(*found), chats_.children(found->session, found->question)};
}

Task<Result<Page<RunWithMessages, Runs::Position>>> MemoryRuns::list_runs(
    Owner owner, RunFilter filter, std::optional<Position> after, std::size_t limit)
{
    const std::lock_guard lock(chats_.mutex);
    Page<RunWithMessages, Position> page;
    PageRoom room;
    Position last = 0;
    for (const auto& [position, kept] : std::views::reverse(chats_.runs())) {
        const Run& run = kept.run;
        if (run.owner != owner || (after && position >= *after)) continue;
        if (filter.status && run.status != *filter.status) continue;
        if (filter.session && run.session != *filter.session) continue;
        RunWithMessages whole = chats_.whole(run);
        if (page.items.size() == limit || !room.takes(page_bytes(whole))) {
            page.next = last;
            break;
        }
        last = position;
        page.items.push_back(std::move(whole));
    }
    co_return page;
}

Task<Result<std::string>> MemoryRuns::events(std::string run)
{
    const std::lock_guard lock(chats_.mutex);
    const Chats::KeptRun* found = chats_.find_run(run);
    if (!found || found->events.empty()) co_return not_found("The stream of this run");
    co_return found->events;
}

Task<Result<std::vector<std::string>>> MemoryRuns::old_frames(std::string /*run*/,
                                                              std::int64_t /*after*/,
                                                              std::size_t /*max_bytes*/)
{
    co_return not_found("The stream of this run");
}

Task<Result<bool>> MemoryRuns::is_replay(Owner owner, KeyClaim key)
{
    const std::lock_guard lock(chats_.mutex);
    const auto bound = chats_.find_key(owner, key);
    co_return bound && bound->fingerprint == key.fingerprint;
}

Task<Result<std::optional<RunWithMessages>>> MemoryRuns::find_replay(Owner owner, KeyClaim key)
{
    const std::lock_guard lock(chats_.mutex);
    co_return replay(chats_, owner, key);
}

Task<Result<std::size_t>> MemoryRuns::sweep_runs(TimePoint events_before, TimePoint now,
                                                 std::size_t most)
{
    const std::lock_guard lock(chats_.mutex);
    std::size_t swept = 0;
    for (auto& [position, kept] : chats_.runs()) {
        if (swept == most) break;
        if (kept.events.empty()) continue;
        if (*kept.run.kept_since >= to_the_millisecond(events_before)) continue;
        kept.events = {};
        ++swept;
    }
    co_return swept + chats_.forget_keys(now, most);
}

}  // namespace parley::store
