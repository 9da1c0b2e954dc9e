// The queue of runs: a limited number of runs at a time, the others wait in a line that is fair
// between users. A place that becomes free goes to the user who has the fewest runs running;
// between equals users take turns, and each user's runs keep their order, so that one user's
// hundred questions do not hold up another's one. The line has a limit, and each user a share of
// it: as many places as are still free. So one user gets half of the line at most, two get a third
// each, and there is always room for a new user. If there are several users, no user ever has all
// running places: one place is kept for another user, who would otherwise wait until a run ends.
//
// Runs of automations wait in a second line, behind people: they begin when no person can. After a
// minute they no longer wait behind people, and join the line of their user. So they cannot starve.
// How many of them there are is limited where they are started.
//
// Threads: from any event loop.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::chat {

enum class Line { people, automations };

class RunQueue {
public:
    static constexpr std::chrono::seconds patience_with_people{60};

    RunQueue(std::size_t max_running, std::size_t max_waiting, const Clock& clock = system_clock())
        : max_running_(max_running), max_waiting_(max_waiting), clock_(clock)
    {
    }

    // There is more than one user: from now on one place is kept for another. The only user of a
    // server has all of them.
    void share() { is_shared_ = true; }
    bool is_shared() const { return is_shared_; }

    // Adds a run: true if it may begin at once, false if it has to wait for its turn. Fails with
    // overloaded if the line of people, or the user's share of it, is full. Every successful call
    // needs a leave().
    Result<bool> enter(const std::string& user, const std::string& run, Line line = Line::people);

    // The same for a run of an earlier process, which is admitted even if the line is full.
    bool readmit(const std::string& user, const std::string& run, Line line = Line::people);

    // For runs that wait in the line of several servers, and not here: takes a place if one is free
    // for this user. With true it needs a leave().
    bool enter_at_once(const std::string& user, const std::string& run);
    // A ticket waits for a place like a run, and gives it to one. leave() is for that one from then
    // on. Tickets belong to no user, and do not count as waiting.
    static constexpr const char* ticket_holder = "";
    void pass_on(const std::string& from, const std::string& user, const std::string& run);
    // Users who have all the places that they may have.
    std::vector<std::string> users_without_room() const;

    // Waits for the turn of a run. False if it left the line in the meantime.
    Task<bool> turn(std::string run);

    // Removes a run, running or waiting. May be repeated, and called for unknown runs.
    void leave(const std::string& run);

    // The same for a waiting run; a running one continues.
    void withdraw(const std::string& run);

    // The position of a waiting run, from 1: how many runs begin until it does, if no others are
    // added.
    std::optional<std::size_t> position(const std::string& run) const;

    std::size_t waiting() const;  // In both lines.
    std::size_t running() const;

private:
    struct Entry {
        std::string user = {};
        bool runs = false;
        Line line = Line::people;
        std::optional<Completion<bool>> waiter = {};
    };
    struct User {
        std::deque<std::string> line = {};  // The ids of runs that wait.
        std::size_t running = 0;
    };
    struct Patient {
        std::string run;
        SteadyPoint since;
    };
    using Users = std::unordered_map<std::string, User>;  // Those who wait or have runs running.

    bool may_begin(const User& user) const REQUIRES(mutex_);
    std::size_t most_of_user() const;
    bool has_room_for(const std::string& user) const REQUIRES(mutex_);
    std::size_t waiting_people() const REQUIRES(mutex_);
    bool take(const std::string& user, const std::string& run, Line line) REQUIRES(mutex_);
    void wait_in_line(const std::string& user, const std::string& run) REQUIRES(mutex_);
    void begin(Entry& entry, User& user) REQUIRES(mutex_);
    std::optional<Completion<bool>> remove(const std::string& run, bool also_running);
    void begin_next() REQUIRES(mutex_);
    Users::iterator next_user() REQUIRES(mutex_);
    void admit_impatient() REQUIRES(mutex_);
    void begin_automations() REQUIRES(mutex_);
    std::size_t position_of_automation(const std::string& run) const REQUIRES(mutex_);
    void forget_if_gone(Users::iterator user) REQUIRES(mutex_);

    const std::size_t max_running_;
    const std::size_t max_waiting_;
    const Clock& clock_;
    std::atomic<bool> is_shared_ = false;
    mutable Mutex mutex_;
    std::unordered_map<std::string, Entry> entries_ GUARDED_BY(mutex_);
    Users users_ GUARDED_BY(mutex_);
    // Waiting users; the one who had a place last is last.
    std::list<std::string> order_ GUARDED_BY(mutex_);
    std::size_t running_ GUARDED_BY(mutex_) = 0;
    std::size_t waiting_ GUARDED_BY(mutex_) = 0;  // In the line of people.
    std::deque<Patient> automations_ GUARDED_BY(mutex_);
};

}  // namespace parley::chat
