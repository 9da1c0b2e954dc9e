// The servers (replicas) that share one database, and this one among them.
//
// Each server process has an incarnation, a number that is never used again, and a lease that it
// renews several times a second (its pulse). A server whose lease has expired is fenced by another:
// from then on none of its writes is accepted, and its runs may be taken over. A fenced server that
// is still alive notices it with its next pulse or write, and continues under a new incarnation.
//
// Threads: any. The callbacks are called by the thread of the pulse and must not wait.
#pragma once

#include "base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley::cluster {

struct DeletedSession {
    std::string user = {};
    std::string session = {};
};

struct DeletedRuns {
    std::string user = {};
    std::string session = {};              // Is still there.
    std::vector<std::string> active = {};  // Those that had not ended.
};

// News of one pulse.
struct Heard {
    std::vector<std::string> rights = {};  // Users who may do less; empty: a token without user.
    std::vector<DeletedSession> sessions = {};
    std::vector<DeletedRuns> runs = {};
    std::vector<std::string> users = {};      // Deleted ones.
    std::vector<std::string> cancelled = {};  // Runs of this server that are to be cancelled.
    std::vector<std::string> logs = {};       // As others gave them to tell_others().
    bool may_lack_logs = false;               // Some of them may have been lost, with a server.
    bool has_orphans = false;                 // There are runs without a living server.
    // Runs that wait for a place on any server, and those of the scripted model among them, which
    // have a line of their own.
    std::size_t waiting = 0;
    std::size_t waiting_scripted = 0;
};

struct Callbacks {
    std::function<void(const Heard&)> heard = {};
    // This server was fenced: its runs belong to others now. me() changes after this call.
    std::function<void()> fenced = {};
    // How many runs it executes; shown to people.
    std::function<std::size_t()> count_runs = {};
};

class Cluster {
public:
    Cluster() = default;
    virtual ~Cluster() = default;
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    // The incarnation of this server; 0 if its database is not shared.
    virtual std::int64_t me() const = 0;
    bool is_alone() const { return me() == 0; }

    // Whether this server has certainly heard everything that was committed 900 ms ago. Only then
    // may it believe a cache.
    virtual bool is_fresh() const = 0;
    // The time since the last answered pulse was sent.
    virtual std::chrono::milliseconds silence() const = 0;

    // Servers with a valid lease, at least 1.
    virtual std::size_t members() const = 0;

    // How often this server was fenced.
    virtual std::uint64_t times_fenced() const = 0;

    // Whether this is the oldest server that does not shut down: it does what only one should do.
    // Together with is_fresh() it is true for one server at a time.
    virtual bool is_first() const = 0;

    // At the beginning of a shutdown: another server becomes the first one.
    virtual void drain() = 0;

    // Event logs that this server has extended, by names of letters, digits and underscores: others
    // hear of them with a later pulse.
    virtual void tell_others(const std::vector<std::string>& logs) = 0;

    // Replaces earlier callbacks, which are not called any more when this returns. Not to be called
    // by a callback.
    virtual void listen(Callbacks callbacks) = 0;

    // At shutdown, when nothing writes any more: gives the lease back, so that others take over the
    // unfinished runs at once. me() must not be used afterwards.
    virtual void leave() = 0;
};

}  // namespace parley::cluster
