#include "store/postgres/workers.hpp"

#include <pthread.h>
#include <random>

namespace parley::store::postgres {
namespace {

using std::chrono::milliseconds;

// The tries of one job. Two transactions that meet again have slept for different times by then.
constexpr int most_tries = 12;
// How often a thread that waits looks around.
constexpr milliseconds between_looks{100};

void sleep_a_little(int tried)
{
    thread_local std::minstd_rand random(std::random_device{}());
    const int most = std::min(1 << tried, 64);
    std::this_thread::sleep_for(milliseconds(std::uniform_int_distribution(0, most)(random)));
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

void Workers::end_soon()
{
    if (end_.load() != Steady::time_point::max()) return;
    health_.end_soon();
    end_ = Steady::now() + options_.settling_at_end;
    queue_.close();
}

Workers::~Workers()
{
    end_soon();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::work()
{
    Place place;
    for (;;) {
        const auto taken = queue_.take(1);
        if (taken.empty()) return;
        run(*taken.front(), place);
        taken.front()->answer();
        if (place.connection && mode_ == Mode::write)
            if (const auto grown = place.connection->take_grown_logs(); !grown.empty())
                signal_.grew(grown);
    }
}

// Sets the job's result in any case.
void Workers::run(sql::Job& job, Place& place)
{
    if (Steady::now() > end_.load()) return job.fail(unavailable_error("the store closes"));
    for (int tried = 1;; ++tried) {
        try {
            if (try_once(job, place)) return;
            if (tried == most_tries)
                return job.fail(unavailable_error("the connection was lost at each COMMIT"));
        } catch (const Failure& failure) {
            if (failure.is_lost()) place.connection.reset();
            const bool is_over = is_hopeless() || Steady::now() > end_.load();
            const bool may_retry = failure.is_lost() ? !is_over : failure.is_conflict();
            if (!may_retry || tried == most_tries) return job.fail(to_error(failure));
        } catch (const sql::Failure& failure) {
            // The data is inconsistent, as far as this job sees.
            place.connection.reset();
            return job.fail(to_error(failure));
        }
        sleep_a_little(tried);
    }
}

bool Workers::is_hopeless() const
{
    return mode_ == Mode::write ? health_.refuses_changes() : health_.is_away();
}

void Workers::refuse_waiting()
{
    for (const auto& job : queue_.take_waiting()) {
        job->fail(unavailable_error("the database stores nothing at the moment"));
        job->answer();
    }
}

// Asked several times a second while a thread waits for the server. A change may also wait for the
// locks of another server's COMMIT that hangs.
bool Workers::gives_up(const Place& place)
{
    if (is_hopeless()) refuse_waiting();
    const bool is_long = Steady::now() - place.begun > options_.patience / 3;
    if (is_long && mode_ == Mode::write) health_.suspect_commits();
    if (!place.committing)
        return is_hopeless() || is_silent(place) || may_have_gone(place) ||
               Steady::now() > end_.load();
    return health_.is_away() || Steady::now() > health_.end_of_settling(*place.committing);
}

// A host accepts connections and says nothing, while the server is reached by another one.
bool Workers::is_silent(const Place& place) const
{
    return !place.connection && Steady::now() - place.begun > 2 * options_.patience;
}

// A connection that was idle when the server went, and that somebody in between still holds open,
// would never say so.
bool Workers::may_have_gone(const Place& place) const
{
    return place.losses != health_.losses() && Steady::now() - place.begun > options_.patience;
}

void Workers::connect(Place& place)
{
    if (is_hopeless()) throw Failure(connection_lost, "the server is away");
    if (!place.connection) {
        place.losses = health_.losses();
        auto connection = std::make_unique<PostgresConnection>(
            options_, [this, &place] { return gives_up(place); });
        // A change must not wait without an end for one that hangs. A statement_timeout would also
        // end the wait of COMMIT for a standby, as if that had the change.
        connection->link().execute(
            "SELECT set_config('lock_timeout', '10s', false),"
            " set_config('statement_timeout', '0', false)");
        place.connection = std::move(connection);
    }
    place.connection->link().follow_name();
}

void Workers::commit(Place& place)
{
    place.committing = Steady::now();
    try {
        place.connection->commit();
    } catch (...) {
        place.committing.reset();
        throw;
    }
    place.committing.reset();
}

// False if the transaction was rolled back without a result and must run again. Throws Failure, and
// has rolled back then unless the connection was lost.
bool Workers::try_once(sql::Job& job, Place& place)
{
    place.begun = Steady::now();
    place.committing.reset();
    connect(place);
    const auto begun = Steady::now();
    auto committing = begun;
    try {
        place.connection->begin(mode_);
        if (!job.run(*place.connection)) {
            place.connection->roll_back();
            return true;
        }
        committing = Steady::now();
        commit(place);
    } catch (const UnknownOutcome&) {
        const CommitMark mark = place.connection->mark();
        const auto grown = place.connection->take_grown_logs();
        place.connection.reset();
        const auto was_stored = was_committed(mark, committing, place);
        if (was_stored && !*was_stored) return false;
        // It is not tried again if this remains unknown: it would be stored twice.
        if (!was_stored) {
            health_.note_unknown_outcome();
            job.fail(was_stored.error());
        }
        if (was_stored && !grown.empty()) signal_.grew(grown);
        return true;
    } catch (const Failure& failure) {
        if (!failure.is_lost()) place.connection->roll_back();
        throw;
    }
    if (mode_ == Mode::write && options_.on_commit) options_.on_commit(1, Steady::now() - begun);
    return true;
}

// Fails if the server does not come back in time.
Result<bool> Workers::was_committed(const CommitMark& mark, Steady::time_point committing,
                                    Place& place)
{
    for (;;) {
        try {
            if (!wait_for_changes(committing))
                throw Failure(connection_lost, "it is unknown whether the change was stored");
            place.begun = Steady::now();
            connect(place);
            place.committing = committing;  // It is waited for no longer than that.
            const bool was_stored = place.connection->was_committed(mark);
            place.committing.reset();
            return was_stored;
        } catch (const Failure& failure) {
            place.committing.reset();
            place.connection.reset();
            const bool may_retry =
                failure.kind() == sql::Failure::Kind::other || failure.is_conflict();
            if (Steady::now() >= health_.end_of_settling(committing) || !may_retry)
                return to_error(failure);
            sleep_a_little(4);
        }
    }
}

// False if the outcome of a COMMIT is waited for no longer.
bool Workers::wait_for_changes(Steady::time_point committing)
{
    while (!health_.wait_for_changes(between_looks)) {
        if (Steady::now() >= health_.end_of_settling(committing)) return false;
        refuse_waiting();
    }
    return true;
}

}  // namespace parley::store::postgres
