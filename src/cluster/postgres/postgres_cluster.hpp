// The servers that share a PostgreSQL database. A thread with its own connection renews the lease,
// hears what others have changed, and fences servers whose lease has expired.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "cluster/cluster.hpp"
#include "cluster/postgres/pulse.hpp"
#include "store/postgres/link.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace parley::cluster::postgres {

struct Options {
    store::postgres::Options database;  // The schema is the newest one.
    // Set to the name of this server's connections. The store and the journal must use it, too.
    std::shared_ptr<store::postgres::ConnectionName> connection_name;
    std::string name = {};      // For people.
    std::string version = {};   // The version of this program.
    std::string settings = {};  // Those that all servers should share, to be compared.
    // An incarnation that is certainly dead: if it had this name, it is fenced at once, not when
    // its lease has expired.
    std::optional<std::int64_t> predecessor = {};
    std::chrono::milliseconds between_pulses{250};
    std::chrono::milliseconds lease{5000};
    std::chrono::milliseconds freshness{900};
};

class PostgresCluster final : public Cluster {
public:
    // Joins under a new incarnation. Fails with storage_unavailable and a message for the operator.
    static Result<std::unique_ptr<PostgresCluster>> join(Options options);

    // Without leave(), others take over when the lease has expired, as after a crash.
    ~PostgresCluster() override;

    std::int64_t me() const override { return me_; }
    bool is_fresh() const override { return silence() < options_.freshness; }
    std::chrono::milliseconds silence() const override;
    std::size_t members() const override { return members_; }
    std::uint64_t times_fenced() const override { return times_fenced_; }
    bool is_first() const override { return is_first_ && !is_draining_; }
    void drain() override;
    void tell_others(const std::vector<std::string>& logs) override;
    void listen(Callbacks callbacks) override;
    void leave() override;

private:
    using Steady = std::chrono::steady_clock;
    using Link = store::postgres::Link;

    explicit PostgresCluster(Options options);

    // All by the thread of the pulse, but for join().
    void run();
    void connect(std::chrono::milliseconds patience);
    void enlist();
    void end_doubt();
    void pulse();
    void take(Pulse pulse, Steady::time_point sent);
    void become_another();
    void fence_predecessor();
    void fence_expired(std::vector<std::int64_t> incarnations);
    void do_chores();
    bool pause();
    void stop();

    const Options options_;
    std::atomic<std::int64_t> me_ = 0;
    std::atomic<std::int64_t> sent_ms_ = 0;  // The last answered pulse, by the steady clock.
    std::atomic<std::size_t> members_ = 1;
    std::atomic<std::uint64_t> times_fenced_ = 0;
    std::atomic<bool> is_first_ = false;
    std::atomic<bool> is_draining_ = false;
    std::unique_ptr<Link> link_;
    Steady::time_point give_up_at_;
    std::optional<Steady::time_point> good_since_;  // All pulses since then were answered.
    PulseRequest request_;
    int pulses_ = 0;
    Mutex calls_;  // Held during callbacks.
    Callbacks callbacks_ GUARDED_BY(calls_);
    Mutex mutex_;
    Condition closing_;
    bool is_closing_ GUARDED_BY(mutex_) = false;
    std::set<std::string> grown_ GUARDED_BY(mutex_);  // To be told with the next pulse.
    std::atomic<bool> gives_up_ = false;
    std::thread thread_;  // Last: it uses all the others.
};

}  // namespace parley::cluster::postgres
