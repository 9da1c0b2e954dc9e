// Threads with a connection each, which run the jobs of one queue: each job is a transaction.
//
// A job runs again if its transaction met another one, or if the connection was lost before COMMIT
// was sent. If the connection was lost after that, the mark of the transaction decides whether it
// was committed (PostgresConnection::was_committed), so that nothing is done twice. A COMMIT that
// hangs is waited for on its connection: one that was given up would keep its locks.
//
// While no job can succeed, those that wait are refused, though all threads may be waiting.
#pragma once

#include "store/event_signal.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/health.hpp"
#include "store/sql/jobs.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace parley::store::postgres {

class Workers {
public:
    using Mode = PostgresConnection::Mode;

    Workers(Mode mode, std::size_t threads, const Options& options, Health& health,
            EventSignal& signal);

    // Runs the waiting jobs first, as far as there is time (Options::settling_at_end).
    ~Workers();
    // The same without waiting for them, so that the time of several Workers runs at once. From one
    // thread.
    void end_soon();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    sql::JobQueue& jobs() { return queue_; }
    std::size_t waiting() const { return queue_.size(); }

private:
    using Steady = std::chrono::steady_clock;
    // What a thread works with.
    struct Place {
        std::unique_ptr<PostgresConnection> connection = {};
        std::uint64_t losses = 0;                           // Before it was made.
        Steady::time_point begun = {};                      // The transaction.
        std::optional<Steady::time_point> committing = {};  // Since then.
    };

    void work();
    void run(sql::Job& job, Place& place);
    bool try_once(sql::Job& job, Place& place);
    void connect(Place& place);
    void commit(Place& place);
    Result<bool> was_committed(const CommitMark& mark, Steady::time_point committing, Place& place);
    bool wait_for_changes(Steady::time_point committing);
    bool gives_up(const Place& place);
    bool is_hopeless() const;
    bool is_silent(const Place& place) const;
    bool may_have_gone(const Place& place) const;
    void refuse_waiting();

    const Mode mode_;
    const Options options_;
    Health& health_;
    EventSignal& signal_;
    sql::JobQueue queue_;
    std::atomic<Steady::time_point> end_ = Steady::time_point::max();  // Of all waiting.
    std::vector<std::thread> threads_;
};

}  // namespace parley::store::postgres
