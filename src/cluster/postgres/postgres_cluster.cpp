#include "cluster/postgres/postgres_cluster.hpp"

#include "base/log.hpp"
#include "cluster/postgres/fence.hpp"
#include "store/postgres/types.hpp"

#include <algorithm>
#include <array>
#include <pthread.h>
#include <utility>

namespace parley::cluster::postgres {
namespace {

using std::chrono::milliseconds;
using store::postgres::Failure;
using store::postgres::libpq;
using store::postgres::ResultPtr;

constexpr milliseconds patience_to_join{10'000};
// A host that accepts connections and says nothing must not cost the lease: the next attempt begins
// with the next host (store/postgres/host_order.hpp).
constexpr milliseconds patience_to_connect{2000};
constexpr milliseconds patience_to_leave{1000};
constexpr milliseconds patience_with_pulse{3000};
constexpr milliseconds most_for_fences{1000};
constexpr milliseconds longest_silence{5000};  // Messages of others can be read for ten seconds.
constexpr int pulses_between_chores = 240;     // About a minute.
constexpr int pulses_between_searches = 8;     // For stuck connections; about two seconds.
constexpr milliseconds patience_with_fenced{2000};
constexpr milliseconds patience_with_stuck{10'000};

std::int64_t ms_of(std::chrono::steady_clock::time_point time)
{
    return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

Result<std::unique_ptr<PostgresCluster>> PostgresCluster::join(Options options)
{
    std::unique_ptr<PostgresCluster> joined(new PostgresCluster(std::move(options)));
    try {
        joined->connect(patience_to_join);
        joined->request_.heard =
            std::stoll(joined->link_->text("SELECT coalesce(max(number), 0) FROM heard"));
        joined->enlist();
        joined->fence_predecessor();
        joined->pulse();
    } catch (const Failure& failure) {
        return Error{Errc::storage_unavailable,
                     std::string("Cannot join the servers of the PostgreSQL database: ") +
                         failure.what() + "."};
    }
    joined->thread_ = std::thread([cluster = joined.get()] { cluster->run(); });
    ::pthread_setname_np(joined->thread_.native_handle(), "cluster");
    return joined;
}

PostgresCluster::PostgresCluster(Options options) : options_(std::move(options))
{
    request_.lease = options_.lease;
}

PostgresCluster::~PostgresCluster() { stop(); }

void PostgresCluster::stop()
{
    {
        const MutexLock lock(mutex_);
        is_closing_ = true;
    }
    gives_up_ = true;
    closing_.notify_all();
    if (thread_.joinable()) thread_.join();
}

milliseconds PostgresCluster::silence() const
{
    return milliseconds(ms_of(Steady::now()) - sent_ms_);
}

void PostgresCluster::listen(Callbacks callbacks)
{
    const MutexLock lock(calls_);
    callbacks_ = std::move(callbacks);
}

void PostgresCluster::leave()
{
    stop();
    gives_up_ = false;
    const auto warn = [](const std::string& why) {
        log::warn("cannot hand over to other servers; they take over when the lease expires",
                  log::kv("reason", why));
    };
    try {
        if (!link_) connect(patience_to_leave);
        give_up_at_ = Steady::now() + patience_with_pulse;
        // A COMMIT that waits for a standby keeps its locks, even if its request has failed.
        if (!try_to_fence_oneself(*link_, me_)) warn("a change of this server is not yet over");
    } catch (const Failure& failure) {
        warn(failure.what());
    }
    link_.reset();
}

void PostgresCluster::run()
{
    while (pause()) {
        try {
            if (!link_) connect(patience_to_connect);
            pulse();
        } catch (const Failure& failure) {
            if (good_since_)
                log::warn("cannot renew the lease: the database does not answer",
                          log::kv("reason", failure.what()));
            link_.reset();
            good_since_.reset();
        }
    }
}

bool PostgresCluster::pause()
{
    const auto end = Steady::now() + options_.between_pulses;
    MutexLock lock(mutex_);
    while (!is_closing_)
        if (!closing_.wait_until(lock, end)) break;
    return !is_closing_;
}

void PostgresCluster::connect(milliseconds patience)
{
    give_up_at_ = Steady::now() + patience;
    auto options = options_.database;
    options.name = options_.connection_name;
    link_ = std::make_unique<Link>(options,
                                   [this] { return gives_up_ || Steady::now() > give_up_at_; });
    // A beat that a crash of PostgreSQL loses is not missed: no server is fenced soon after its
    // start.
    link_->execute("SET synchronous_commit = off");
    hear_again(*link_, request_);
}

// The name is known to all connections before me() is, so that no write under this incarnation
// uses a connection that others would not end.
void PostgresCluster::enlist()
{
    using store::postgres::type_bytea;
    static constexpr auto types = std::to_array<Oid>({type_bytea, type_bytea, type_bytea});
    const std::array values{options_.name.c_str(), options_.version.c_str(),
                            options_.settings.c_str()};
    const std::array sizes{static_cast<int>(options_.name.size()),
                           static_cast<int>(options_.version.size()),
                           static_cast<int>(options_.settings.size())};
    // A crash of PostgreSQL must not give the number out again: the runs of this server would be
    // those of another one. After a failure, this connection is not used again.
    link_->execute("SET synchronous_commit = local");
    link_->send_prepare("",
                        "INSERT INTO replicas (incarnation, name, version, settings)"
                        " VALUES (nextval('incarnations'), convert_from($1, 'UTF8'),"
                        " convert_from($2, 'UTF8'), convert_from($3, 'UTF8'))"
                        " RETURNING incarnation::text",
                        types);
    link_->send_prepared("", values, sizes);
    const ResultPtr made = link_->end();
    link_->execute("SET synchronous_commit = off");
    const std::int64_t incarnation = std::stoll(libpq().PQgetvalue(made.get(), 0, 0));
    options_.connection_name->set(postgres::connection_name(*link_, incarnation));
    link_->follow_name();
    me_ = incarnation;
    log::info("joined the servers of the database", log::kv("incarnation", incarnation),
              log::kv("name", options_.name));
}

void PostgresCluster::tell_others(const std::vector<std::string>& logs)
{
    const MutexLock lock(mutex_);
    grown_.insert(logs.begin(), logs.end());
}

void PostgresCluster::drain()
{
    is_draining_ = true;
    is_first_ = false;
}

// Runs that this server does not know would block their sessions until its end. So it continues
// under another incarnation, and takes over the runs of the one before.
void PostgresCluster::end_doubt()
{
    if (!options_.connection_name->is_doubtful()) return;
    give_up_at_ = Steady::now() + patience_with_pulse;
    if (try_to_fence_oneself(*link_, me_))
        log::warn("it is unknown whether a change was stored; this server takes over its own runs",
                  log::kv("incarnation", me_.load()));
}

void PostgresCluster::pulse()
{
    end_doubt();
    const auto sent = Steady::now();
    give_up_at_ = sent + patience_with_pulse;
    {
        const MutexLock lock(mutex_);
        request_.grown.merge(grown_);  // Some are left if the last pulse had no answer.
        grown_.clear();
    }
    {
        const MutexLock lock(calls_);
        request_.running = callbacks_.count_runs ? callbacks_.count_runs() : 0;
    }
    request_.me = me_;
    request_.draining = is_draining_;
    ++request_.number;  // Also if the last pulse had no answer: it may have been stored.
    const ResultPtr rows = link_->execute(statement_of(request_));
    request_.grown.clear();
    take(pulse_of(rows, request_), sent);
    if (++pulses_ % pulses_between_chores == 0) do_chores();
    if (pulses_ % pulses_between_searches == 0)
        end_stuck_connections(*link_, patience_with_fenced, patience_with_stuck);
}

void PostgresCluster::take(Pulse pulse, Steady::time_point sent)
{
    members_ = pulse.members;
    if (!pulse.has_lease) {
        become_another();
        pulse.heard.cancelled.clear();  // They are runs of others now.
    }
    is_first_ = pulse.has_lease && pulse.first == me_;
    const milliseconds silent(ms_of(sent) - sent_ms_);
    if (!good_since_ || silent > longest_silence) pulse.heard.may_lack_logs = true;
    {
        const MutexLock lock(calls_);
        if (callbacks_.heard) callbacks_.heard(pulse.heard);
    }
    // After the calls: is_fresh() promises that they were made.
    // If this server was late, all others may have been, as on a machine that stood still.
    sent_ms_ = ms_of(sent);
    if (!good_since_ || silent > options_.lease / 2) good_since_ = sent;
    if (!pulse.expired.empty() && sent - *good_since_ >= options_.lease)
        fence_expired(std::move(pulse.expired));
}

void PostgresCluster::become_another()
{
    log::warn("this server was fenced by another; its runs continue there",
              log::kv("incarnation", me_.load()));
    {
        const MutexLock lock(calls_);
        if (callbacks_.fenced) callbacks_.fenced();
    }
    good_since_.reset();
    ++times_fenced_;
    enlist();
}

// In another database the same number may be another server, which has another name.
void PostgresCluster::fence_predecessor()
{
    if (!options_.predecessor) return;
    const std::int64_t dead = *options_.predecessor;
    const std::string name =
        link_->text("SELECT name FROM replicas WHERE incarnation = " + std::to_string(dead));
    if (name == options_.name) fence(*link_, dead, {});
}

// One that resists takes a second, in which the lease of this server is not renewed: then the next
// pulse goes on, and begins with another one.
void PostgresCluster::fence_expired(std::vector<std::int64_t> incarnations)
{
    const auto end = Steady::now() + most_for_fences;
    std::ranges::rotate(incarnations, incarnations.begin() + pulses_ % std::ssize(incarnations));
    for (const std::int64_t incarnation : incarnations) {
        if (Steady::now() > end) return;
        give_up_at_ = Steady::now() + patience_with_pulse;
        if (fence(*link_, incarnation, options_.lease))
            log::warn("another server does not answer; its runs are taken over",
                      log::kv("incarnation", incarnation));
    }
}

void PostgresCluster::do_chores()
{
    link_->execute("DELETE FROM grown_logs WHERE at < clock_timestamp() - interval '1 minute'");
    link_->execute(
        "DELETE FROM run_turns WHERE NOT EXISTS"
        " (SELECT 1 FROM users WHERE users.position = run_turns.person)");
    link_->execute(
        "DELETE FROM replicas WHERE fenced AND beat_at < clock_timestamp() - interval '1 hour'");
}

}  // namespace parley::cluster::postgres
