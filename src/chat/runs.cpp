#include "chat/runs.hpp"

#include "base/block_on.hpp"
#include "base/log.hpp"
#include "chat/events.hpp"
#include "chat/run_execution.hpp"
#include "chat/views.hpp"

#include <boost/asio/co_spawn.hpp>

namespace parley::chat {
namespace {

// The number of bytes that are read from the journal at once.
constexpr std::size_t bytes_of_a_read = std::size_t{1024} * 1024;

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

Line line_of(const store::Run& run)
{
    return run.cause.automation_run.empty() ? Line::people : Line::automations;
}

}  // namespace

Runs::Runs(store::Store& store, journal::Journal& journal, const engine::Models& models,
           const RunErrors& errors, RunOptions options)
    : context_(store, journal, models, errors, std::move(options)),
      queues_(store, context_.options.max_concurrent, context_.options.max_queued)
{
}

Runs::~Runs() = default;

Task<Result<Runs::Entered>> Runs::enter(std::string id, Owner owner, std::string model,
                                        Executor loop, Line line)
{
    co_await queues_.look_for_users();
    if (closed_) co_return Error{Errc::shutting_down, "The server is shutting down."};
    if (context_.options.check_room)
        if (auto room = context_.options.check_room(); !room) co_return room.error();
    RunQueue& queue = queues_.of(owner, model);
    auto begins_now = queue.enter(owner.user, id, line);
    if (!begins_now) co_return begins_now.error();
    auto run = std::make_shared<ActiveRun>(std::move(id), std::move(owner), queue, std::move(loop));
    registry_.add(run);
    co_return Entered{std::move(run), *begins_now};
}

RunHandle Runs::begin(const ActiveRunRef& run, store::RunWithMessages whole)
{
    const bool begins_now = whole.run.status == RunStatus::running;
    run->set_whole(std::move(whole));
    spawn(run, begins_now);
    return {context_, run};
}

void Runs::forget(const ActiveRunRef& run) { end(run); }

void Runs::spawn(const ActiveRunRef& run, bool begins_now)
{
    auto execution = std::make_unique<RunExecution>(context_, run, begins_now);
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
    run->feed().suspend();  // No effect on a run that has ended.
    registry_.remove(run->id());
}

RunHandle Runs::ended(store::RunWithMessages run)
{
    return {context_, std::make_shared<const store::RunWithMessages>(std::move(run))};
}

Task<Result<RunHandle>> Runs::find(Owner owner, std::string id)
{
    if (const auto active = registry_.find(id); active && active->owner() == owner) {
        auto whole = active->whole();
        // An ended run stays registered for a moment.
        if (whole && has_ended(whole->run.status)) co_return RunHandle(context_, std::move(whole));
        if (whole) co_return RunHandle(context_, active);
    }
    // A run that is unfinished in the store is about to be registered, or has just ended.
    for (int look = 0; look < 2; ++look) {
        auto stored = co_await context_.store.runs().find_run(owner, id);
        if (!stored) co_return stored.error();
        if (has_ended(stored->run.status)) co_return ended(std::move(*stored));
        if (const auto active = registry_.find(id)) {
            active->set_run_if_unknown(std::move(*stored));
            co_return RunHandle(context_, active);
        }
    }
    co_return Error{Errc::shutting_down, "The run continues after the server has restarted."};
}

Task<Result<RunHandle>> Runs::find(store::RunWithMessages stored)
{
    if (has_ended(stored.run.status)) co_return ended(std::move(stored));
    co_return co_await find(stored.run.owner, stored.run.id);
}

api::RunView Runs::view_listed(const store::RunWithMessages& stored)
{
    const auto active = has_ended(stored.run.status) ? nullptr : registry_.find(stored.run.id);
    if (active && active->whole()) {
        api::RunView now = RunHandle(context_, active).view();
        if (now.status == stored.run.status) return now;
    }
    return view(stored, context_.errors);
}

std::optional<api::MessageView> Runs::unfinished_answer(const store::RunWithMessages& stored) const
{
    const auto active = registry_.find(stored.run.id);
    if (!active) return std::nullopt;
    auto moment = active->feed().moment();
    if (moment.has_ended) return std::nullopt;
    const auto whole = active->whole();
    return chat::unfinished_answer(whole ? *whole : stored, std::move(moment.text));
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
    return registry_.wait_until_empty(patience);
}

void Runs::suspend_all()
{
    close();
    for (const ActiveRunRef& run : registry_.all()) run->suspend();
}

RunFigures Runs::figures() const
{
    RunFigures figures{.running = queues_.running(),
                       .queued = queues_.waiting(),
                       .events = context_.counters.events(),
                       .ended = context_.counters.ended()};
    for (const ActiveRunRef& run : registry_.all()) figures.readers += run->feed().followers();
    return figures;
}

Result<> Runs::resume_unfinished(std::span<const Executor> loops)
{
    auto unfinished = block_on(context_.store.runs().unfinished_runs());
    if (!unfinished) return unfinished.error();
    block_on(queues_.look_for_users());
    std::size_t next_loop = 0;
    std::vector<std::string> ids;
    for (store::RunWithMessages& whole : *unfinished) {
        ids.push_back(whole.run.id);
        const Executor& loop = loops[next_loop++ % loops.size()];
        if (auto resumed = block_on(resume(std::move(whole), loop)); !resumed) return resumed;
    }
    // In the store, all other runs have ended or do not exist.
    context_.journal.keep_only(ids);
    if (!unfinished->empty())
        log::info("resuming unfinished runs", log::kv("runs", unfinished->size()));
    return {};
}

Task<Result<>> Runs::resume(store::RunWithMessages whole, Executor loop)
{
    const std::string id = whole.run.id;
    RunQueue& queue = queues_.of(whole.run.owner, whole.run.model);
    auto run = std::make_shared<ActiveRun>(id, whole.run.owner, queue, std::move(loop));
    if (auto restored = co_await restore(*run); !restored) co_return restored.error();
    registry_.add(run);
    const bool begins_now = queue.readmit(whole.run.owner.user, id, line_of(whole.run));
    run->set_whole(std::move(whole));
    spawn(run, begins_now);
    co_return Result<>();
}

// Restores from the journal the events that an earlier process sent.
Task<Result<>> Runs::restore(ActiveRun& run)
{
    const auto state = co_await context_.journal.state(run.id());
    if (!state) co_return state.error();
    if (!*state) co_return Result<>();
    if (!(*state)->whole) {
        // The text after the gap is lost.
        log::warn("the journal lost events of a run; the run starts over",
                  log::kv("run_id", run.id()));
        context_.journal.end(run.id());
        co_return Result<>();
    }
    const std::uint32_t last = (*state)->last;
    std::string text;
    DeltaSizes deltas;
    for (std::uint32_t number = 0; number < last;) {
        auto records = co_await context_.journal.read(run.id(), number, bytes_of_a_read);
        if (!records) co_return records.error();
        for (auto& record : *records) {
            number = record.number;
            const RunEvent event = event_of_record(number, std::move(record.bytes));
            if (event.type != RunEvent::Type::delta) continue;
            deltas.add(event.bytes->size());
            text += *event.bytes;
        }
    }
    run.feed().restore(last, std::move(text), std::move(deltas));
    co_return Result<>();
}

}  // namespace parley::chat
