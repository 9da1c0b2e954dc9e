#include "store/postgres/workers.hpp"

#include <pthread.h>
#include <random>

namespace parley::store::postgres {
namespace {

using Steady = std::chrono::steady_clock;

// The tries of one job. Two transactions that meet again have slept for different times by then.
constexpr int most_tries = 12;

void sleep_a_little(int tried)
{
    thread_local std::minstd_rand random(std::random_device{}());
    const int most = std::min(1 << tried, 64);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution(0, most)(random)));
}

}  // namespace

Workers::Workers(Mode mode, std::size_t threads, const Options& options, Health& health,
                 EventSignal& signal)
    : mode_(mode), options_(options), health_(health), signal_(signal), queue_(options.most_waiting)
{
    for (std::size_t i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { work(); });
        ::pthread_setname_np(threads_.back().native_handle(),
                             mode == Mode::write ? "store-writer" : "store-reader");
    }
}

Workers::~Workers()
{
    queue_.close();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::work()
{
    ConnectionPtr connection;
    for (;;) {
        const auto taken = queue_.take(1);
        if (taken.empty()) return;
        run(*taken.front(), connection);
        taken.front()->answer();
        if (connection && mode_ == Mode::write)
            if (const auto grown = connection->take_grown_logs(); !grown.empty())
                signal_.grew(grown);
    }
}

// Sets the job's result in any case.
void Workers::run(sql::Job& job, ConnectionPtr& connection)
{
    for (int tried = 1;; ++tried) {
        try {
            if (try_once(job, connection)) return;
        } catch (const Failure& failure) {
            if (failure.is_lost()) connection.reset();
            const bool may_retry = failure.is_lost() ? !health_.is_away() : failure.is_conflict();
            if (!may_retry || tried == most_tries) return job.fail(to_error(failure));
        } catch (const sql::Failure& failure) {
            // The data is inconsistent, as far as this job sees.
            connection.reset();
            return job.fail(to_error(failure));
        }
        sleep_a_little(tried);
    }
}

void Workers::connect(ConnectionPtr& connection)
{
    if (health_.is_away()) throw Failure(connection_lost, "the server is away");
    if (!connection)
        connection =
            std::make_unique<PostgresConnection>(options_, [this] { return health_.is_away(); });
    connection->link().follow_name();
}

// False if the transaction was rolled back without a result and must run again. Throws Failure, and
// has rolled back then unless the connection was lost.
bool Workers::try_once(sql::Job& job, ConnectionPtr& connection)
{
    connect(connection);
    const auto begun = Steady::now();
    try {
        connection->begin(mode_);
        if (!job.run(*connection)) {
            connection->roll_back();
            return true;
        }
        connection->commit();
    } catch (const UnknownOutcome&) {
        const CommitMark mark = connection->mark();
        const auto grown = connection->take_grown_logs();
        connection.reset();
        const auto was_stored = was_committed(mark, connection);
        if (was_stored && !*was_stored) return false;
        // It is not tried again if this remains unknown: it would be stored twice.
        if (!was_stored) {
            if (options_.on_unknown_outcome) options_.on_unknown_outcome();
            job.fail(was_stored.error());
        }
        if (was_stored && !grown.empty()) signal_.grew(grown);
        return true;
    } catch (const Failure& failure) {
        if (!failure.is_lost()) connection->roll_back();
        throw;
    }
    if (mode_ == Mode::write && options_.on_commit) options_.on_commit(1, Steady::now() - begun);
    return true;
}

// Fails if the server does not come back in time.
Result<bool> Workers::was_committed(const CommitMark& mark, ConnectionPtr& connection)
{
    const auto end = Steady::now() + options_.settling;
    for (;;) {
        try {
            const auto rest =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - Steady::now());
            if (!health_.wait_until_back(rest))
                throw Failure(connection_lost, "it is unknown whether the change was stored");
            connect(connection);
            return connection->was_committed(mark);
        } catch (const Failure& failure) {
            connection.reset();
            const bool may_retry = failure.is_lost() || failure.is_conflict();
            if (Steady::now() >= end || !may_retry) return to_error(failure);
            sleep_a_little(4);
        }
    }
}

}  // namespace parley::store::postgres
