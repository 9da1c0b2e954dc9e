// Appends events: one thread with one connection, which stores everything that waits with one
// statement. Its commits are not synced: events survive this process, and a crash of PostgreSQL
// loses the last moments.
//
// If the connection is lost, it is unknown whether a batch was stored. The same batch is sent again
// until an answer comes: an append never fails with an unknown outcome, except at the end. Then the
// events of the last seconds are sent again, too.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"
#include "journal/journal.hpp"
#include "journal/postgres/options.hpp"
#include "journal/postgres/recent_events.hpp"
#include "store/postgres/prepared_link.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace parley::journal::postgres {

struct Append : RunEvents {
    Append(RunEvents events, Completion<Result<>> when_done)
        : RunEvents(std::move(events)), answer(std::move(when_done))
    {
    }

    Completion<Result<>> answer;
};

inline Error journal_is_closed() { return {Errc::shutting_down, "The journal is closed."}; }

class Writer {
public:
    explicit Writer(const Options& options);
    // Completes what waits, as far as it can be stored within 2 seconds.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // As Journal says.
    void begun(std::string run);
    void submit(Append append);
    // After its appends.
    void end(std::string run, bool is_stored);
    // Removes the events of all runs that have ended.
    void sweep();
    // The same limit from now on.
    void end_soon();

    Figures figures() const;

private:
    using Batch = std::vector<Append>;
    using Steady = std::chrono::steady_clock;

    // A run that is written here.
    struct Known {
        std::uint32_t last = 0;
        // The connection on which all of its events were sent; 0: perhaps on several.
        std::uint64_t connection = 0;
    };
    struct Ended {
        std::string run = {};
        bool is_stored = false;  // The store has its end, and has removed its events.
    };
    using AllEnded = std::vector<Ended>;

    void work();
    bool has_work() const REQUIRES(mutex_)
    {
        return !waiting_.empty() || !ended_.empty() || sweeps_;
    }
    void wait_for_work(MutexLock& lock) REQUIRES(mutex_);
    void run_batch(Batch batch);
    void note_begun(const std::vector<std::string>& runs);
    void remove_all(const AllEnded& ended, bool sweeps);
    bool may_have_events(const Ended& ended) const;
    // The connection on which the next statement is sent.
    std::uint64_t next_connection() const { return link_ ? connection_ : connection_ + 1; }
    // Calls `work` again and again until it needs no new connection. False if the end came first.
    template <class Work>
    bool insist(const Work& work);
    bool is_over() const { return Steady::now() > end_.load(); }
    void connect();
    void limit_statements(std::chrono::milliseconds most);
    void sweep_once();
    void send_again();
    void look_for_crash();

    Result<> check(const Append& append);
    std::optional<std::uint32_t> stored_last(const std::string& run);
    Result<> store(const Batch& batch);
    Result<> outcome_of(const Append& append);
    void count(const Batch& batch, std::chrono::nanoseconds took, bool succeeded);

    const Options options_;
    std::unique_ptr<store::postgres::PreparedLink> link_;
    Steady::time_point give_up_at_;
    std::atomic<Steady::time_point> end_ =
        Steady::time_point::max();                  // Then attempts to store end.
    std::uint64_t connection_ = 0;                  // The number of the newest one.
    std::unordered_map<std::string, Known> known_;  // By run; only those written here.
    RecentEvents recent_;
    std::atomic<std::size_t> runs_ = 0;

    mutable Mutex mutex_;
    Condition filled_;
    std::deque<Append> waiting_ GUARDED_BY(mutex_);
    std::vector<std::string> begun_ GUARDED_BY(mutex_);
    AllEnded ended_ GUARDED_BY(mutex_);
    bool sweeps_ GUARDED_BY(mutex_) = false;
    std::size_t waiting_bytes_ GUARDED_BY(mutex_) = 0;
    Figures figures_ GUARDED_BY(mutex_);
    std::atomic<bool> is_closing_ = false;
    std::thread thread_;  // Last: it uses all the others.
};

}  // namespace parley::journal::postgres
