// Wakes the followers of an event log when it has grown. It does not carry events: a follower that
// is woken without need reads nothing.
//
// Threads: from any thread.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace parley::store {

class EventSignal {
public:
    class Follower;
    using FollowerRef = std::shared_ptr<Follower>;

    // From now on; to be called before the log is read for the first time.
    FollowerRef follow(Owner owner);

    // Waits until the log has grown since the last wait. False once the follower was told to stop.
    Task<bool> wait(FollowerRef follower);

    void stop(const FollowerRef& follower);
    // At shutdown: stops all followers, also later ones.
    void stop_all();

    // Called with the owners of all logs that have grown, from any thread; must not block. Null:
    // not any more, also not in another thread.
    using Observer = std::function<void(const std::set<Owner>&)>;
    void observe(Observer observer);

    // The same with the logs that this server has extended: to tell others that share the store.
    void publish(Observer publisher);

    // How often this server has extended logs. A change that no event tells of is not counted.
    std::uint64_t growths() const { return growths_; }

    // These logs have grown, and can be read.
    void grew(const std::set<Owner>& owners);
    // The same for logs that another server has extended.
    void grew_elsewhere(const std::set<Owner>& owners);
    // Any log that is followed may have been extended by another server.
    void any_grew_elsewhere();

private:
    void forget(Follower& follower);

    std::atomic<std::uint64_t> growths_ = 0;
    Mutex mutex_;
    std::multimap<Owner, Follower*> followers_ GUARDED_BY(mutex_);
    bool stopped_ GUARDED_BY(mutex_) = false;
    Mutex observing_;
    Observer observer_ GUARDED_BY(observing_);
    Observer publisher_ GUARDED_BY(observing_);
};

// Must not outlive its signal.
class EventSignal::Follower {
public:
    Follower(EventSignal& signal, Owner owner) : signal_(signal), owner_(std::move(owner)) {}
    ~Follower() { signal_.forget(*this); }
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

private:
    friend class EventSignal;

    EventSignal& signal_;
    const Owner owner_;
    // Guarded by the signal's mutex:
    std::optional<Completion<bool>> waits_;
    bool has_grown_ = false;
    bool is_stopped_ = false;
};

}  // namespace parley::store
