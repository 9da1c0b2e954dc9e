// All runs that go on: each is a coroutine of its own, not of the connection that asked for it. A
// client that leaves changes nothing. What an earlier process has left is taken up again.
//
// Threads: from any event loop, unless a comment says otherwise. The store, the journal and the
// models must outlive it; before it goes, leave_all() and wait_until_idle() must have been called
// where there were runs.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "base/trusted_time.hpp"
#include "chat/active_run.hpp"
#include "chat/lines.hpp"
#include "chat/reader.hpp"
#include "engine/models.hpp"
#include "journal/journal.hpp"
#include "store/store.hpp"

#include <boost/json/object.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::chat {

struct RunOptions {
    std::size_t max_concurrent = 64;
    std::size_t max_queued = 1000;
    std::chrono::seconds timeout{300};
    std::chrono::seconds events_keep{std::chrono::hours(24)};
    // Fails where nothing new should be stored, the disk being nearly full. Called for each new
    // run.
    std::function<Result<>()> check_room = {};
    // What clients are told of a failure: the room that knows problems gives it.
    std::function<boost::json::object(const Error&)> describe_error = {};
    const Clock* clock = &system_clock();
    // Says what has expired and when that may be removed. Null: the clock says it, and at any time.
    const TrustedTime* expiry = nullptr;
};

// What runs tell about themselves.
struct RunFigures {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t readers = 0;
    std::uint64_t events = 0;                 // Since the start.
    std::array<std::uint64_t, 6> ended = {};  // By RunStatus.
};

class Runs {
public:
    Runs(store::Store& store, journal::Journal& journal, const engine::Models& models,
         RunOptions options);
    Runs(const Runs&) = delete;
    Runs& operator=(const Runs&) = delete;
    ~Runs();

    // A run that is about to be stored, already findable by its id. It has its place in the queue.
    // Fails with overloaded, as the room for it is checked, and with shutting_down after close().
    struct Entered {
        ActiveRunRef run;
        bool begins_now = false;
    };
    Task<Result<Entered>> enter(std::string id, Owner owner, std::string model, Executor loop);
    // It was stored: it goes on by itself from here, on its loop.
    void begin(const ActiveRunRef& run, store::RunWithMessages whole);
    // It was not stored after all.
    void forget(const ActiveRunRef& run);

    // At start, before the first request: takes up what an earlier process has left, spread over
    // these loops.
    Result<> resume_unfinished(std::span<const Executor> loops);

    // Null where there is none that goes on.
    ActiveRunRef find(const std::string& id) const;

    // A run of this owner, which goes on or has ended: one of both. Fails with not_found, and with
    // shutting_down for one that the next process takes up.
    struct Found {
        ActiveRunRef active = {};
        std::optional<store::RunWithMessages> ended = {};
    };
    Task<Result<Found>> find(Owner owner, std::string id) const;

    // Reads the events after a number, of a run that goes on or of one that has ended.
    // `take`: how its memory is paid for.
    Reader read(ActiveRunRef run, std::int64_t after, TakeMemory take = {});
    Reader read(store::RunWithMessages ended, std::int64_t after, TakeMemory take = {});

    // As clients see it at this moment; nothing before its question was stored.
    std::optional<api::RunView> view_of(ActiveRun& run) const;

    void cancel(ActiveRun& run);
    // Cancels those of a session, or of a user, and gives them.
    std::vector<ActiveRunRef> cancel_in(const std::string& session);
    std::vector<ActiveRunRef> cancel_of(const std::string& user);

    // From now on no run is begun.
    void close() { closed_ = true; }
    bool is_closed() const { return closed_; }
    // From a thread without a loop: waits until no run goes on.
    bool wait_until_idle(std::chrono::milliseconds patience);
    // What still goes on stops where it is, and is taken up by the next process.
    void suspend_all();

    // What answers that are not stored share with runs: their turns, their time, and the figures.
    Lines& lines() { return lines_; }
    const RunOptions& options() const { return options_; }
    void count_end(RunStatus status) { ++ended_.at(static_cast<std::size_t>(status)); }

    RunFigures figures() const;
    // Called with the time from a question to its first delta; before the first run.
    void observe_first_delta(std::function<void(std::chrono::nanoseconds)> observe)
    {
        observe_first_delta_ = std::move(observe);
    }

private:
    friend class RunExecution;

    std::vector<ActiveRunRef> all() const;
    // One that is stored and not begun.
    Task<Result<>> resume(store::RunWithMessages whole, Executor loop);
    Task<Result<>> restore(ActiveRun& run);
    void spawn(const ActiveRunRef& run, bool begins_now);
    void remove(const std::string& id);
    TimePoint expiry_time() const;
    Task<> sweep_if_due();

    store::Store& store_;
    journal::Journal& journal_;
    const engine::Models& models_;
    const RunOptions options_;
    EndedRuns ended_runs_;
    Lines lines_;
    std::function<void(std::chrono::nanoseconds)> observe_first_delta_;
    std::atomic<bool> closed_ = false;
    std::atomic<SteadyPoint::rep> next_sweep_ = 0;
    std::atomic<std::uint64_t> events_ = 0;
    std::array<std::atomic<std::uint64_t>, 6> ended_{};

    mutable std::mutex mutex_;
    std::condition_variable fewer_;
    std::unordered_map<std::string, ActiveRunRef> runs_;
};

}  // namespace parley::chat
