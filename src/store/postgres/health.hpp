// Watches whether the server answers: a thread asks it several times a second, on its own
// connection. While the server is away, requests are refused at once instead of waiting for it.
//
// A server whose synchronous standby is missing answers everything but COMMIT. If a COMMIT waits
// for long, the thread makes a change of its own, and changes are refused until it is answered.
//
// Threads: the functions may be called from any thread.
#pragma once

#include "base/mutex.hpp"
#include "store/postgres/commit_trial.hpp"
#include "store/postgres/link.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace parley::store::postgres {

class Health {
public:
    // Logs under this name when the server goes away and comes back.
    Health(const Options& options, std::string name);
    ~Health();
    Health(const Health&) = delete;
    Health& operator=(const Health&) = delete;

    // The server has not answered for longer than Options::patience, or cannot be connected to.
    bool is_away() const;
    // How often it was lost: connections that were made before may be to a server that has gone.
    std::uint64_t losses() const { return losses_; }
    // Changes cannot be stored; they cannot either if the server is away.
    bool refuses_changes() const { return refuses_changes_for() > std::chrono::milliseconds(0); }
    // For how long; zero while they can be stored.
    std::chrono::milliseconds refuses_changes_for() const;
    // A change waits for longer than usual.
    void suspect_commits() { is_suspected_ = true; }
    // Waits until changes can be stored; false if that takes longer than `most`, or the store
    // closes.
    bool wait_for_changes(std::chrono::milliseconds most);

    // From now on, outcomes are waited for only for Options::settling_at_end.
    void end_soon();
    // Until when the outcome of a COMMIT is waited for that began at this time.
    std::chrono::steady_clock::time_point end_of_settling(
        std::chrono::steady_clock::time_point begun) const;

    // Calls Options::on_unknown_outcome, as soon as changes can be stored.
    void note_unknown_outcome();

    std::uint64_t database_bytes() const { return bytes_; }

private:
    std::chrono::milliseconds away_for() const;
    void watch();
    std::unique_ptr<Link> connected(const Link::GiveUp& give_up);
    void do_chores(Link& link);
    void heard();
    void missed(const std::string& why);
    void examine_commits();
    void commits_are_answered();
    void commits_hang(CommitTrial::Steady::time_point since);
    void tell_unknown_outcome();
    bool pause(std::chrono::milliseconds time);

    const Options options_;
    const std::string name_;
    std::atomic<std::int64_t> heard_at_;  // Milliseconds of the steady clock; later during a chore.
    std::atomic<bool> is_refused_ = false;  // The last attempt failed.
    std::atomic<std::uint64_t> losses_ = 0;
    std::atomic<bool> is_suspected_ = false;
    std::atomic<std::int64_t> hangs_since_ = 0;  // As heard_at_; 0: COMMIT is answered.
    std::atomic<std::int64_t> ends_since_ = 0;   // As heard_at_; 0: end_soon() was not called.
    std::atomic<bool> has_unknown_ = false;
    std::atomic<std::uint64_t> bytes_ = 0;
    std::atomic<bool> is_closing_ = false;
    CommitTrial trial_;
    Mutex mutex_;
    Condition changed_;
    std::thread thread_;  // Last: it uses all the others.
};

}  // namespace parley::store::postgres
