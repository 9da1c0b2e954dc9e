#include "chat/runs.hpp"

#include "base/log.hpp"
#include "base/run.hpp"
#include "chat/run_execution.hpp"
#include "chat/views.hpp"

#include <boost/asio/co_spawn.hpp>

namespace parley::chat {
namespace {

// How much of the journal is read at once.
constexpr std::size_t bytes_of_a_read = std::size_t{1024} * 1024;

constexpr std::chrono::seconds time_between_sweeps{60};

// A bug in a run ends that run alone; the next start takes it up again.
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
           RunOptions options)
    : store_(store),
      journal_(journal),
      models_(models),
      options_(std::move(options)),
      ended_runs_(store),
      lines_(store, options_.max_concurrent, options_.max_queued)
{
}

Runs::~Runs() = default;

Task<Result<Runs::Entered>> Runs::enter(std::string id, Owner owner, std::string model,
                                        Executor loop)
{
    co_await lines_.look_for_users();
    if (closed_) co_return Error{Errc::shutting_down, "The server is shutting down."};
    if (options_.check_room)
        if (auto room = options_.check_room(); !room) co_return room.error();
    RunQueue& queue = lines_.of(owner, model);
    auto begins_now = queue.enter(owner.user, id);
    if (!begins_now) co_return begins_now.error();
    auto run = std::make_shared<ActiveRun>(id, std::move(owner), queue, std::move(loop));
    const std::lock_guard lock(mutex_);
    runs_.emplace(std::move(id), run);
    co_return Entered{std::move(run), *begins_now};
}

void Runs::begin(const ActiveRunRef& run, store::RunWithMessages whole)
{
    const bool begins_now = whole.run.status == RunStatus::running;
    run->set_whole(std::move(whole));
    spawn(run, begins_now);
}

void Runs::forget(const ActiveRunRef& run)
{
    run->queue().leave(run->id());
    run->feed().leave();
    remove(run->id());
}

void Runs::spawn(const ActiveRunRef& run, bool begins_now)
{
    auto conduct = std::make_unique<RunExecution>(*this, run, begins_now);
    auto going = conduct->go();
    boost::asio::co_spawn(
        run->loop(), std::move(going),
        [this, run, conduct = std::move(conduct)](const std::exception_ptr& failure) {
            report(failure, run->id());
            run->queue().leave(run->id());
            run->feed().leave();  // Changes nothing for one that has ended.
            remove(run->id());
        });
}

void Runs::remove(const std::string& id)
{
    const std::lock_guard lock(mutex_);
    runs_.erase(id);
    fewer_.notify_all();
}

ActiveRunRef Runs::find(const std::string& id) const
{
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : found->second;
}

Task<Result<Runs::Found>> Runs::find(Owner owner, std::string id) const
{
    if (auto active = find(id); active && active->owner() == owner) {
        auto whole = active->whole();
        // One that has ended is still there for a moment.
        if (whole && has_ended(whole->run.status)) co_return Found{.ended = std::move(whole)};
        if (whole) co_return Found{.active = std::move(active)};
    }
    // What goes on by the store is either about to be known here, or has ended since.
    for (int look = 0; look < 2; ++look) {
        auto stored = co_await store_.runs().find_run(owner, id);
        if (!stored) co_return stored.error();
        if (has_ended(stored->run.status)) co_return Found{.ended = std::move(*stored)};
        if (auto active = find(id)) {
            active->set_run_if_unknown(std::move(*stored));
            co_return Found{.active = std::move(active)};
        }
    }
    co_return Error{Errc::shutting_down, "The run continues after the server has restarted."};
}

std::vector<ActiveRunRef> Runs::all() const
{
    const std::lock_guard lock(mutex_);
    std::vector<ActiveRunRef> runs;
    runs.reserve(runs_.size());
    for (const auto& [id, run] : runs_) runs.push_back(run);
    return runs;
}

Reader Runs::read(ActiveRunRef run, std::int64_t after, TakeMemory take)
{
    return {{store_, journal_, ended_runs_}, std::move(run), after, std::move(take)};
}

Reader Runs::read(store::RunWithMessages ended, std::int64_t after, TakeMemory take)
{
    const auto kept_until = ended.run.kept_since.value_or(TimePoint()) + options_.events_keep;
    const bool are_kept = expiry_time() < kept_until;
    return {{store_, journal_, ended_runs_}, std::move(ended), after, are_kept, std::move(take)};
}

std::optional<api::RunView> Runs::view_of(ActiveRun& run) const
{
    const auto whole = run.whole();
    if (!whole) return std::nullopt;
    api::RunView shown = view(*whole);
    if (has_ended(whole->run.status)) return shown;
    if (whole->run.status == RunStatus::queued)
        if (const auto position = run.queue().position(run.id()))
            shown.queue_position = static_cast<std::int64_t>(*position);
    auto moment = run.feed().moment();
    if (!moment.text.empty()) shown.message = unfinished_answer(*whole, std::move(moment.text));
    return shown;
}

void Runs::cancel(ActiveRun& run)
{
    run.stop(ActiveRun::Stop::cancelled);
    run.queue().withdraw(run.id());
}

std::vector<ActiveRunRef> Runs::cancel_in(const std::string& session)
{
    auto runs = all();
    std::erase_if(runs, [&](const ActiveRunRef& run) { return !run->is_in(session); });
    for (const ActiveRunRef& run : runs) cancel(*run);
    return runs;
}

std::vector<ActiveRunRef> Runs::cancel_of(const std::string& user)
{
    auto runs = all();
    std::erase_if(runs, [&](const ActiveRunRef& run) { return run->owner().user != user; });
    for (const ActiveRunRef& run : runs) cancel(*run);
    return runs;
}

bool Runs::wait_until_idle(std::chrono::milliseconds patience)
{
    std::unique_lock lock(mutex_);
    return fewer_.wait_for(lock, patience, [this] { return runs_.empty(); });
}

void Runs::suspend_all()
{
    close();
    for (const ActiveRunRef& run : all()) {
        run->stop(ActiveRun::Stop::left);
        run->queue().withdraw(run->id());
    }
}

RunFigures Runs::figures() const
{
    RunFigures figures{.running = lines_.running(), .queued = lines_.waiting(), .events = events_};
    for (const ActiveRunRef& run : all()) figures.readers += run->feed().followers();
    for (std::size_t i = 0; i < ended_.size(); ++i) figures.ended.at(i) = ended_.at(i);
    return figures;
}

TimePoint Runs::expiry_time() const
{
    return options_.expiry ? options_.expiry->now() : options_.clock->now();
}

// Each run removes more expired rows than it adds, so that no timer is needed.
Task<> Runs::sweep_if_due()
{
    if (options_.expiry && !options_.expiry->may_sweep()) co_return;
    constexpr std::size_t rows = 200;
    const auto now = options_.clock->steady();
    auto due = next_sweep_.load();
    if (now.time_since_epoch().count() < due) co_return;
    const auto next = now + std::min(options_.events_keep, time_between_sweeps);
    if (!next_sweep_.compare_exchange_strong(due, next.time_since_epoch().count())) co_return;
    const TimePoint today = expiry_time();
    const auto swept = co_await store_.runs().sweep_runs(today - options_.events_keep, today, rows);
    if (!swept) log::debug("cannot remove old events", log::kv("reason", swept.error().message));
    if (swept && *swept >= rows) next_sweep_ = 0;  // There are more.
}

Result<> Runs::resume_unfinished(std::span<const Executor> loops)
{
    auto unfinished = run(store_.runs().unfinished_runs());
    if (!unfinished) return unfinished.error();
    run(lines_.look_for_users());
    std::size_t next_loop = 0;
    std::vector<std::string> ids;
    for (store::RunWithMessages& whole : *unfinished) {
        ids.push_back(whole.run.id);
        const Executor& loop = loops[next_loop++ % loops.size()];
        if (auto resumed = run(resume(std::move(whole), loop)); !resumed) return resumed;
    }
    // The store says of all others that they have ended, or are gone.
    journal_.keep_only(ids);
    if (!unfinished->empty())
        log::info("resuming unfinished runs", log::kv("runs", unfinished->size()));
    return {};
}

Task<Result<>> Runs::resume(store::RunWithMessages whole, Executor loop)
{
    const std::string id = whole.run.id;
    RunQueue& queue = lines_.of(whole.run.owner, whole.run.model);
    auto run = std::make_shared<ActiveRun>(id, whole.run.owner, queue, std::move(loop));
    if (auto restored = co_await restore(*run); !restored) co_return restored.error();
    {
        const std::lock_guard lock(mutex_);
        runs_.emplace(id, run);
    }
    const bool begins_now = queue.readmit(whole.run.owner.user, id);
    run->set_whole(std::move(whole));
    spawn(run, begins_now);
    co_return Result<>();
}

// Reads the events that an earlier process has sent from the journal.
Task<Result<>> Runs::restore(ActiveRun& run)
{
    const auto state = co_await journal_.state(run.id());
    if (!state) co_return state.error();
    if (!*state) co_return Result<>();
    if (!(*state)->whole) {
        // The text that followed is unknown.
        log::warn("the journal lost events of a run; the run starts over",
                  log::kv("run_id", run.id()));
        journal_.end(run.id());
        co_return Result<>();
    }
    const std::uint32_t last = (*state)->last;
    std::string text;
    DeltaSizes deltas;
    for (std::uint32_t number = 0; number < last;) {
        auto records = co_await journal_.read(run.id(), number, bytes_of_a_read);
        if (!records) co_return records.error();
        for (const auto& record : *records) {
            const std::string delta = text_in(record.bytes);
            if (!delta.empty()) deltas.add(delta.size());
            text += delta;
            number = record.number;
        }
    }
    run.feed().restore(last, std::move(text), std::move(deltas));
    co_return Result<>();
}

}  // namespace parley::chat
