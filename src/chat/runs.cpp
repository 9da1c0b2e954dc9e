#include "chat/runs.hpp"

#include "base/log.hpp"
#include "chat/views.hpp"

#include <boost/asio/co_spawn.hpp>

#include <thread>

namespace parley::chat {
namespace {

// A bug in one run does not affect others; the next start resumes it.
void report(const std::exception_ptr& failure, const std::string& run)
{
    if (!failure) return;
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& bug) {
        log::error("run failed with an exception", log::kv("run_id", run),
                   log::kv("reason", bug.what()));
    }
}

}  // namespace

Runs::Runs(store::Store& store, journal::Journal& journal, const engine::Models& models,
           const RunErrors& errors, RunOptions options)
    : context_(store, journal, models, errors, std::move(options)),
      queues_(store, context_.options.max_concurrent, context_.options.max_queued),
      followed_(context_, queues_),
      real_turns_(taker_of_line(false)),
      scripted_turns_(taker_of_line(true))
{
}

Runs::~Runs()
{
    followed_.stop();
    followed_.wait_until_idle(std::chrono::seconds(2));
}

Task<Result<Runs::Entered>> Runs::enter(std::string id, Owner owner, std::string model,
                                        Executor loop, Line line)
{
    co_await queues_.look_for_users();
    if (closed_) co_return Error{Errc::shutting_down, "The server is shutting down."};
    if (context_.options.check_room)
        if (auto room = context_.options.check_room(); !room) co_return room.error();
    RunQueue& queue = queues_.of(owner, model);
    auto shared = shared_line(queue);
    Result<bool> begins_now =
        shared ? queue.enter_at_once(owner.user, id) : queue.enter(owner.user, id, line);
    if (!begins_now) co_return begins_now.error();
    auto run = std::make_shared<ActiveRun>(std::move(id), std::move(owner), queue, std::move(loop),
                                           replica());
    registry_.add(run);
    co_return Entered{std::move(run), *begins_now, std::move(shared)};
}

RunHandle Runs::begin(const ActiveRunRef& run, store::BegunRun begun)
{
    const bool begins_now = begun.whole.run.status == RunStatus::running;
    if (!begins_now && !context_.options.cluster->is_alone())
        return wait_in_line(run, std::move(begun.whole));
    if (begun.first_event) take_first_event(*run, std::move(*begun.first_event));
    run->set_whole(std::move(begun.whole));
    std::optional<JustBegun> just_begun;
    if (begins_now) just_begun.emplace(std::move(begun.instructions));
    spawn(run, begins_now, false, std::move(just_begun));
    return {context_, run};
}

void Runs::forget(const ActiveRunRef& run) { end(run); }

void Runs::spawn(const ActiveRunRef& run, bool begins_now, bool was_begun,
                 std::optional<JustBegun> just_begun)
{
    auto execution =
        std::make_unique<RunExecution>(context_, run, begins_now, was_begun, std::move(just_begun));
    auto task = execution->execute();
    boost::asio::co_spawn(
        run->loop(), std::move(task),
        [this, run, execution = std::move(execution)](const std::exception_ptr& failure) {
            report(failure, run->id());
            end(run);
        });
}

void Runs::end(const ActiveRunRef& run)
{
    run->queue().leave(run->id());
    if (run->is_lost() && run->whole())
        followed_.adopt(run);
    else
        run->feed().suspend();  // No effect on a run that has ended.
    registry_.remove(run);
    take_turns();  // A place may be free.
}

RunHandle Runs::ended(store::RunWithMessages run)
{
    return {context_, std::make_shared<const store::RunWithMessages>(std::move(run))};
}

Task<Result<RunHandle>> Runs::find(Owner owner, std::string id)
{
    if (const auto active = registry_.find(id); active && active->owner() == owner) {
        // One that has ended stays registered for a moment, in which it may have been deleted.
        if (const auto whole = active->whole(); whole && !has_ended(whole->run.status))
            co_return RunHandle(context_, active);
    }
    // A run that is unfinished in the store is about to be registered, or has just ended.
    for (int look = 0; look < 2; ++look) {
        auto stored = co_await context_.store.runs().find_run(owner, id);
        if (!stored) co_return stored.error();
        if (has_ended(stored->run.status)) co_return ended(std::move(*stored));
        if (const auto active = registry_.find(id)) {
            active->set_run_if_unknown(std::move(*stored));
            if (auto whole = active->whole(); has_ended(whole->run.status))
                co_return RunHandle(context_, std::move(whole));
            co_return RunHandle(context_, active);
        }
        if (context_.options.cluster->is_alone()) continue;
        auto followed = co_await followed_.follow(std::move(*stored));
        if (followed) co_return RunHandle(context_, *followed);
        if (followed.error().code != Errc::not_found) co_return followed.error();
    }
    co_return Error{Errc::shutting_down, "The run continues after the server has restarted."};
}

ActiveRunRef Runs::find_active(const std::string& id) const
{
    auto local = registry_.find(id);
    return local ? local : followed_.find(id);
}

Task<Result<RunHandle>> Runs::find(store::RunWithMessages stored)
{
    if (has_ended(stored.run.status)) co_return ended(std::move(stored));
    co_return co_await find(stored.run.owner, stored.run.id);
}

api::RunView Runs::view_listed(const store::RunWithMessages& stored)
{
    const auto active = has_ended(stored.run.status) ? nullptr : find_active(stored.run.id);
    // The store knows the position of a run that waits.
    const bool waits = stored.queue_position.has_value();
    if (active && active->whole() && !waits) {
        api::RunView now = RunHandle(context_, active).view();
        if (now.status == stored.run.status) return now;
    }
    return view(stored, context_.errors);
}

Task<std::optional<api::MessageView>> Runs::unfinished_answer(store::RunWithMessages stored)
{
    auto active = find_active(stored.run.id);
    if (!active && !context_.options.cluster->is_alone())
        if (auto followed = co_await followed_.follow(stored)) active = std::move(*followed);
    if (!active) co_return std::nullopt;
    auto moment = active->feed().moment();
    if (moment.has_ended) co_return std::nullopt;
    const auto whole = active->whole();
    co_return chat::unfinished_answer(whole ? *whole : stored, std::move(moment.text));
}

std::vector<RunHandle> Runs::cancel(const std::vector<ActiveRunRef>& runs)
{
    std::vector<RunHandle> cancelled;
    for (const ActiveRunRef& run : runs) {
        run->cancel();
        cancelled.emplace_back(context_, run);
    }
    return cancelled;
}

std::vector<RunHandle> Runs::cancel_in(const std::string& session)
{
    auto runs = registry_.all();
    std::erase_if(runs, [&](const ActiveRunRef& run) { return !run->is_in(session); });
    return cancel(runs);
}

std::vector<RunHandle> Runs::cancel_these(const std::vector<std::string>& ids)
{
    std::vector<ActiveRunRef> runs;
    for (const std::string& id : ids)
        if (auto run = registry_.find(id)) runs.push_back(std::move(run));
    return cancel(runs);
}

std::vector<RunHandle> Runs::cancel_of(const std::string& user)
{
    auto runs = registry_.all();
    std::erase_if(runs, [&](const ActiveRunRef& run) { return run->owner().user != user; });
    return cancel(runs);
}

bool Runs::wait_until_idle(std::chrono::milliseconds patience)
{
    constexpr std::chrono::milliseconds between_looks{5};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (tasks_ > 0) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(between_looks);
    }
    return registry_.wait_until_empty(patience);
}

void Runs::close()
{
    closed_ = true;
    real_turns_.stop();
    scripted_turns_.stop();
}

void Runs::suspend_all()
{
    close();
    for (const ActiveRunRef& run : registry_.all()) run->suspend();
    context_.journal.end_soon();
    followed_.stop();
}

RunFigures Runs::figures() const
{
    RunFigures figures{.running = queues_.running(),
                       .queued = queues_.waiting(),
                       .events = context_.counters.events(),
                       .ended = context_.counters.ended()};
    figures.queued += real_turns_.waiting() + scripted_turns_.waiting();
    for (const ActiveRunRef& run : registry_.all()) figures.readers += run->feed().followers();
    for (const ActiveRunRef& run : followed_.all()) figures.readers += run->feed().followers();
    return figures;
}

}  // namespace parley::chat
