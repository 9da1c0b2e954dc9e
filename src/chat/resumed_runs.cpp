// Runs of an earlier process, and of other servers.
#include "base/block_on.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "chat/past_events.hpp"
#include "chat/runs.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>

namespace parley::chat {
namespace {

constexpr std::chrono::milliseconds between_attempts{250};

Line line_of(const store::Run& run)
{
    return run.cause.automation_run.empty() ? Line::people : Line::automations;
}

}  // namespace

Result<> Runs::resume_unfinished(std::span<const Executor> loops)
{
    loops_.assign(loops.begin(), loops.end());
    block_on(queues_.look_for_users());
    if (!context_.options.cluster->is_alone()) {
        context_.journal.keep_only({});
        return {};
    }
    auto unfinished = block_on(context_.store.runs().unfinished_runs());
    if (!unfinished) return unfinished.error();
    std::vector<std::string> ids;
    for (store::RunWithMessages& whole : *unfinished) {
        ids.push_back(whole.run.id);
        auto resumed = block_on(resume(std::move(whole), next_loop(), 0, Arrival::unfinished));
        if (!resumed) return resumed;
    }
    // In the store, all other runs have ended or do not exist.
    context_.journal.keep_only(ids);
    if (!unfinished->empty())
        log::info("resuming unfinished runs", log::kv("runs", unfinished->size()));
    return {};
}

Task<Result<>> Runs::resume(store::RunWithMessages whole, Executor loop, std::int64_t replica,
                            Arrival arrival)
{
    const std::string id = whole.run.id;
    RunQueue& queue = queues_.of(whole.run.owner, whole.run.model);
    auto run = std::make_shared<ActiveRun>(id, whole.run.owner, queue, std::move(loop), replica);
    if (auto restored = co_await restore(*run); !restored) co_return restored.error();
    registry_.add(run);
    const bool was_begun = arrival == Arrival::unfinished && whole.run.status == RunStatus::running;
    bool begins_now = arrival == Arrival::turn;
    if (arrival == Arrival::unfinished)
        begins_now = queue.readmit(whole.run.owner.user, id, line_of(whole.run));
    if (arrival == Arrival::cancelled) run->cancel();
    run->set_whole(std::move(whole));
    spawn(run, begins_now, was_begun);
    co_return Result<>();
}

// Restores from the journal the events that an earlier process sent.
Task<Result<>> Runs::restore(ActiveRun& run)
{
    auto past = co_await read_past_events(context_.journal, run.id());
    if (!past) co_return past.error();
    if (!past->is_whole) {
        // The text after the gap is lost.
        log::warn("the journal lost events of a run; the run starts over",
                  log::kv("run_id", run.id()));
        context_.journal.end(run.id());
    } else if (past->last > 0) {
        run.feed().restore(past->last, std::move(past->text), std::move(past->deltas));
    }
    co_return Result<>();
}

void Runs::hear(const cluster::Heard& heard)
{
    for (const std::string& id : heard.cancelled)
        if (const auto run = registry_.find(id)) run->cancel();
    for (const cluster::DeletedSession& deleted : heard.sessions) cancel_in(deleted.session);
    for (const cluster::DeletedRuns& deleted : heard.runs) cancel_these(deleted.active);
    real_turns_.hear(heard.waiting - heard.waiting_scripted);
    scripted_turns_.hear(heard.waiting_scripted);
    take_turns();
    if (!heard.has_orphans || closed_ || loops_.empty() || is_claiming_.exchange(true)) return;
    spawn_task(next_loop(), claim());
}

void Runs::lose_all()
{
    for (const ActiveRunRef& run : registry_.all()) run->lose();
}

void Runs::spawn_task(const Executor& loop, Task<> task)
{
    ++tasks_;
    boost::asio::co_spawn(loop, std::move(task), [this](const std::exception_ptr& failure) {
        if (failure) log::error("a task of runs failed with an exception");
        --tasks_;
    });
}

Task<> Runs::claim()
{
    const std::int64_t me = replica();
    auto claimed =
        co_await context_.store.runs().claim_runs(me, context_.options.cluster->members());
    is_claiming_ = false;
    if (!claimed) co_return;  // The next pulse tries again.
    for (store::RunWithMessages& whole : *claimed) {
        log::info("run taken over", log::kv("run_id", whole.run.id));
        const Executor& loop = next_loop();
        const bool waits = whole.run.status == RunStatus::queued;
        spawn_task(loop, take_over(std::move(whole), loop, me,
                                   waits ? Arrival::cancelled : Arrival::unfinished));
    }
}

// The run belongs to this server already: without an end it would block its session. It may have
// been lost by this very server, which must have stopped executing it.
Task<> Runs::take_over(store::RunWithMessages whole, Executor loop, std::int64_t replica,
                       Arrival arrival)
{
    const std::string id = whole.run.id;
    while (!closed_ && this->replica() == replica) {
        if (!registry_.find(id)) {
            const auto resumed = co_await resume(whole, loop, replica, arrival);
            if (resumed) co_return;
            log::warn("cannot resume a run yet; retrying", log::kv("run_id", id),
                      log::kv("reason", resumed.error().message));
        }
        Timer timer(loop, between_attempts);
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
    if (arrival == Arrival::turn) queues_.of(whole.run.owner, whole.run.model).leave(id);
}

}  // namespace parley::chat
