// Enters due times into the ledger and starts the runs of its rows: one task on one event loop. The
// ledger makes each exactly one; what fails here is tried again.
//
// Threads: wake() from any thread, stop() from a thread without a loop; all else on the loop.
#pragma once

#include "automation/automations.hpp"
#include "automation/listeners.hpp"
#include "automation/start_limit.hpp"
#include "base/mutex.hpp"
#include "base/timer.hpp"
#include "chat/questions.hpp"
#include "chat/sessions.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace parley::automation {

class Runner : public std::enable_shared_from_this<Runner> {
public:
    struct Services {
        store::Store& store;
        chat::Questions& questions;
        chat::Sessions& sessions;
        chat::Runs& runs;
        const chat::RunErrors& errors;
        const schedule::Zones& zones;
        const Clock& clock;
        std::function<bool()> may_sweep = {};  // Whether old rows may be removed now.
    };
    Runner(const Services& services, const Options& options)
        : services_(services),
          options_(options),
          limit_(options.starts_per_minute, services.clock),
          listeners_({services.store, services.runs, services.errors, services.zones,
                      services.clock, [this] { wake(); }})
    {
    }

    // After unfinished runs were resumed.
    void start(Executor loop);
    // Something may be due now.
    void wake();
    // Starts nothing any more. Runs go on.
    void stop();
    // From a thread without a loop, after stop(): waits until no task of this is left, which may
    // use the services. Attempts end with their runs.
    bool wait_until_idle(std::chrono::milliseconds patience);

    // Starts no rows of this owner until it is destroyed. From any thread.
    std::shared_ptr<void> hold(const Owner& owner);

    // How many attempts may be started.
    StartLimit& limit() { return limit_; }

private:
    // Removes a row from the active ones when its task ends, however that is.
    class ActiveRow {
    public:
        ActiveRow(Runner& runner, std::string id) : runner_(runner), id_(std::move(id)) {}
        ~ActiveRow() { runner_.active_.erase(id_); }
        ActiveRow(const ActiveRow&) = delete;
        ActiveRow& operator=(const ActiveRow&) = delete;

    private:
        Runner& runner_;
        const std::string id_;
    };

    Task<> run();
    Task<> look();
    void look_at(TimePoint time) { next_ = std::min(next_, time); }
    void spawn(Task<> task);
    void note_end(const std::exception_ptr& failure);
    Task<bool> watch_running();
    Task<> watch(store::AutomationRun row);
    static Task<> until_ended(const chat::RunHandle& run);
    Task<> recount();
    Task<Result<>> recount(std::span<const store::Automation> automations);
    Task<Result<>> recount(const store::Automation& automation);
    Task<Result<>> enter_due();
    Task<Result<>> follow_logs();
    Task<> follow(Owner owner);
    struct Prepared {
        std::vector<store::DueEntry> entries = {};
        std::vector<Owner> owners = {};  // The owner of each entry.
    };
    Task<Result<>> enter(std::span<const store::DueAutomation> due, TimePoint now);
    Task<Result<Prepared>> prepare(std::span<const store::DueAutomation> due, TimePoint now);
    Task<Result<>> write(Prepared prepared);
    Task<store::DueEntry> entry_of(const store::DueAutomation& due, const Definition& definition,
                                   TimePoint now);
    Task<Result<>> pause(store::Automation automation);
    Task<Result<>> start_rows();
    std::size_t places_left(bool test) const;
    std::vector<store::AutomationRun> in_turns(std::vector<store::AutomationRun> rows);
    void note_turn(const Owner& owner);
    bool may_start(const store::AutomationRun& row, TimePoint now);
    bool is_held(const Owner& owner);
    // When a limit admits one more, or may have been raised.
    void look_for_limit(TimePoint now, std::chrono::nanoseconds wait);
    Task<> attempt(store::AutomationRun row, SteadyPoint start);
    Task<Result<>> ask(const store::AutomationRun& row, SteadyPoint start);
    chat::Question question_of(const Definition& definition, const store::AutomationRun& row,
                               std::optional<std::string> session) const;
    Task<> end_refused(const store::AutomationRun& row, const Error& error);
    Task<> remove_surplus(const Definition& definition, const store::AutomationRun& row);
    Task<> cancel_abandoned();
    Task<> sweep();
    Task<> delete_removed();
    Task<> sleep(std::chrono::nanoseconds wait);

    const Services services_;
    const Options options_;
    std::unique_ptr<Timer> timer_;
    std::atomic<bool> stopped_ = false;
    TimePoint next_ = {};                  // When to look next; a wake sets it to the past.
    std::map<std::string, Owner> active_;  // Rows that are being started or run.
    Mutex mutex_;
    Condition ended_;
    int tasks_ GUARDED_BY(mutex_) = 0;
    std::multiset<Owner> held_ GUARDED_BY(mutex_);
    bool has_more_ = false;                      // There may be more rows to start than were read.
    std::map<Owner, std::uint64_t> last_turns_;  // The last start of each owner, counted from 1.
    std::uint64_t turns_ = 0;
    StartLimit limit_;
    Listeners listeners_;
    SteadyPoint next_check_ = {};  // When to look for runs to cancel.
    SteadyPoint next_sweep_ = {};
};

}  // namespace parley::automation
