// All runs of this process: each is a coroutine of its own, not of the connection that asked for
// it. If a client disconnects, its run continues. Unfinished runs of an earlier process are
// resumed. If several servers share the store, runs of a server that is gone are taken over, and
// runs of the others are followed. They have one line of waiting runs: a run that has to wait
// belongs to none of them, and any of them takes it when it has a place (turn_taker.hpp).
//
// Threads: from any event loop, unless a comment says otherwise. The store, the journal and the
// models must outlive it. Before it is destroyed, suspend_all() and wait_until_idle() must have
// been called if there were runs.
#pragma once

#include "api/wire/run.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/followed_runs.hpp"
#include "chat/run_context.hpp"
#include "chat/run_execution.hpp"
#include "chat/run_handle.hpp"
#include "chat/run_queues.hpp"
#include "chat/run_registry.hpp"
#include "chat/turn_taker.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::chat {

// For metrics.
struct RunFigures {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t readers = 0;
    std::uint64_t events = 0;  // Since the start.
    RunCounters::Ended ended = {};
};

class Runs {
public:
    Runs(store::Store& store, journal::Journal& journal, const engine::Models& models,
         const RunErrors& errors, RunOptions options);
    Runs(const Runs&) = delete;
    Runs& operator=(const Runs&) = delete;
    ~Runs();

    // A run that is about to be stored, already findable by its id. It has its place in the queue,
    // or the store decides about it, if it is shared. Fails with overloaded, as the room for it is
    // checked, and with shutting_down after close().
    struct Entered {
        ActiveRunRef run;
        bool begins_now = false;
        std::optional<store::SharedLine> line = {};
    };
    Task<Result<Entered>> enter(std::string id, Owner owner, std::string model, Executor loop,
                                Line line = Line::people);
    // The run was stored: it continues by itself, on its loop.
    RunHandle begin(const ActiveRunRef& run, store::BegunRun begun);
    // The run was not stored.
    void forget(const ActiveRunRef& run);

    // At start, before the first request: resumes the unfinished runs of an earlier process, spread
    // over these loops. If the store is shared, they are taken over when the cluster says so.
    Result<> resume_unfinished(std::span<const Executor> loops);

    // From the thread of the cluster's pulse: takes over runs whose server is gone, takes runs that
    // wait, and cancels those that another server wants to be cancelled or has deleted.
    void hear(const cluster::Heard& heard);
    // The same if this server was fenced: its runs are executed by others from now on.
    void lose_all();

    // A run of this owner. Fails with not_found, and with shutting_down for one that the next
    // process resumes.
    Task<Result<RunHandle>> find(Owner owner, std::string id);
    // A run as the store has it, for its owner.
    Task<Result<RunHandle>> find(store::RunWithMessages stored);
    bool is_running(const std::string& id) const { return registry_.find(id) != nullptr; }

    // A run that was read from the store, with its answer so far. If its status has changed since,
    // it is shown as it was: otherwise it might not fit the filter of its list.
    api::RunView view_listed(const store::RunWithMessages& stored);

    // The answer so far of a run that was read from the store; nothing if it has ended since.
    Task<std::optional<api::MessageView>> unfinished_answer(store::RunWithMessages stored);

    // Cancels the runs of a session, of a user, or with these ids, and returns them.
    std::vector<RunHandle> cancel_in(const std::string& session);
    std::vector<RunHandle> cancel_these(const std::vector<std::string>& ids);
    std::vector<RunHandle> cancel_of(const std::string& user);

    // A task that has to do with runs: wait_until_idle() waits for it. From any thread.
    void spawn_task(const Executor& loop, Task<> task);

    // Accepts no new runs, and takes none that wait for a server.
    void close();
    bool is_closed() const { return closed_; }
    // From a thread without a loop: waits until no run is active and no task is left.
    bool wait_until_idle(std::chrono::milliseconds patience);
    // Stops active runs where they are; the next process resumes them.
    void suspend_all();

    // Answers that are not stored share these with runs.
    RunQueues& queues() { return queues_; }
    const RunOptions& options() const { return context_.options; }
    RunCounters& counters() { return context_.counters; }
    RunContext& context() { return context_; }
    UsageRecorder& usage() { return context_.usage; }
    store::UsageLog& usage_log() { return context_.store.usage(); }

    RunFigures figures() const;

private:
    std::int64_t replica() const { return context_.options.cluster->me(); }

    // Why a stored run comes into this process: it was unfinished at the start or has lost its
    // server; its turn has come, and it has a place in the queue; or it waited and is cancelled.
    enum class Arrival { unfinished, turn, cancelled };

    // A stored run that is not in this process yet.
    Task<Result<>> resume(store::RunWithMessages whole, Executor loop, std::int64_t replica,
                          Arrival arrival);
    Task<Result<>> restore(ActiveRun& run);
    Task<> claim();
    Task<> take_over(store::RunWithMessages whole, Executor loop, std::int64_t replica,
                     Arrival arrival);
    std::optional<store::SharedLine> shared_line(const RunQueue& queue) const;
    RunHandle wait_in_line(const ActiveRunRef& run, store::RunWithMessages whole);
    void take_first_event(ActiveRun& run, std::string record);
    TurnTaker taker_of_line(bool is_scripted);
    void take_turns();
    const Executor& next_loop() { return loops_.at(next_loop_++ % loops_.size()); }
    ActiveRunRef find_active(const std::string& id) const;
    void spawn(const ActiveRunRef& run, bool begins_now, bool was_begun,
               std::optional<JustBegun> just_begun = {});
    void end(const ActiveRunRef& run);
    RunHandle ended(store::RunWithMessages run);
    std::vector<RunHandle> cancel(const std::vector<ActiveRunRef>& runs);

    RunContext context_;
    RunQueues queues_;
    RunRegistry registry_;
    FollowedRuns followed_;
    TurnTaker real_turns_;
    TurnTaker scripted_turns_;
    std::vector<Executor> loops_;
    std::atomic<std::size_t> next_loop_ = 0;
    std::atomic<bool> closed_ = false;
    std::atomic<bool> is_claiming_ = false;
    std::atomic<int> tasks_ = 0;  // Those of spawn_task().
};

}  // namespace parley::chat
