// Runs that have ended, as their readers share them: if many read one at the same time, its texts
// are in memory once, and are charged once.
//
// Threads: from any event loop. An EndedRun does not change once it was made.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "chat/kept_events.hpp"
#include "chat/run_errors.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace parley::chat {

// Charges so many bytes to an allowance until its result is released. Fails with overloaded.
using TakeMemory = std::function<Result<std::shared_ptr<void>>(std::size_t bytes)>;

class EndedRun {
public:
    // `kept`: nothing if its events are not stored.
    using Whole = std::shared_ptr<const store::RunWithMessages>;
    EndedRun(Whole whole, std::optional<KeptEvents> kept, const RunErrors& errors);

    const store::RunWithMessages& whole() const { return *whole_; }
    // Positioned at the beginning: each reader continues with a copy.
    const std::optional<KeptEvents>& kept() const { return kept_; }

    // Replaces events that are no longer stored: the answer, if there is one, and the last event.
    const std::optional<RunEvent>& snapshot() const { return snapshot_; }
    const RunEvent& last() const { return last_; }

    std::size_t bytes() const;

    // Charges the memory, unless another reader has already been charged.
    Result<> pay(const TakeMemory& take);

private:
    const Whole whole_;
    const std::optional<KeptEvents> kept_;
    const RunEvent last_;
    const std::optional<RunEvent> snapshot_;
    Mutex mutex_;
    std::shared_ptr<void> charge_ GUARDED_BY(mutex_);
};
using EndedRunRef = std::shared_ptr<EndedRun>;

class EndedRuns {
public:
    EndedRuns(store::Store& store, const RunErrors& errors) : store_(store), errors_(errors) {}
    EndedRuns(const EndedRuns&) = delete;
    EndedRuns& operator=(const EndedRuns&) = delete;

    // The object that other readers already share, or a new one. Must be released before this is
    // destroyed. `with_events`: false if the events have expired. Fails with overloaded, and as the
    // store does.
    Task<Result<EndedRunRef>> share(EndedRun::Whole whole, bool with_events, TakeMemory take);

    std::size_t size() const;  // Those that are being read.

private:
    EndedRunRef find(const std::string& id) const;
    EndedRunRef add(std::unique_ptr<EndedRun> made);
    void remove(EndedRun* run);

    store::Store& store_;
    const RunErrors& errors_;
    mutable Mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<EndedRun>> runs_ GUARDED_BY(mutex_);
};

}  // namespace parley::chat
