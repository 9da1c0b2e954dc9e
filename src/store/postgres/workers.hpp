// Threads with a connection each, which run the jobs of one queue: each job is a transaction.
//
// A job runs again if its transaction met another one, or if the connection was lost before COMMIT
// was sent. If the connection was lost after that, the mark of the transaction decides whether it
// was committed (PostgresConnection::was_committed), so that nothing is done twice.
#pragma once

#include "store/event_signal.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/health.hpp"
#include "store/sql/jobs.hpp"

#include <thread>
#include <vector>

namespace parley::store::postgres {

class Workers {
public:
    using Mode = PostgresConnection::Mode;

    Workers(Mode mode, std::size_t threads, const Options& options, Health& health,
            EventSignal& signal);

    // Runs the waiting jobs first.
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    sql::JobQueue& jobs() { return queue_; }
    std::size_t waiting() const { return queue_.size(); }

private:
    using ConnectionPtr = std::unique_ptr<PostgresConnection>;

    void work();
    void run(sql::Job& job, ConnectionPtr& connection);
    bool try_once(sql::Job& job, ConnectionPtr& connection);
    void connect(ConnectionPtr& connection);
    Result<bool> was_committed(const CommitMark& mark, ConnectionPtr& connection);

    const Mode mode_;
    const Options options_;
    Health& health_;
    EventSignal& signal_;
    sql::JobQueue queue_;
    std::vector<std::thread> threads_;
};

}  // namespace parley::store::postgres
