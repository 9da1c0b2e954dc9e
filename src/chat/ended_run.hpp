// Runs that have ended, as their readers share them: however many read one at the same time, its
// texts are in memory once, and are charged once.
//
// Threads: from any event loop. An EndedRun does not change once it was made.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/kept_events.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace parley::chat {

// Takes so many bytes of an allowance, until what it gives is let go of. Fails with overloaded.
using TakeMemory = std::function<Result<std::shared_ptr<void>>(std::size_t bytes)>;

class EndedRun {
public:
    // `kept`: nothing if its events are not kept.
    EndedRun(store::RunWithMessages whole, std::optional<KeptEvents> kept);

    const store::RunWithMessages& whole() const { return whole_; }
    // At the beginning: each reader goes on with a copy.
    const std::optional<KeptEvents>& kept() const { return kept_; }

    // What a reader gets instead of events that are gone: the answer, null if there is none, and
    // the last event.
    const Frame& snapshot() const { return snapshot_; }
    const Frame& terminal() const { return terminal_; }

    std::size_t bytes() const;

    // Charges it, unless another reader has.
    Result<> pay(const TakeMemory& take);

private:
    const store::RunWithMessages whole_;
    const std::optional<KeptEvents> kept_;
    const Frame terminal_;
    const Frame snapshot_;
    std::mutex mutex_;
    std::shared_ptr<void> charge_;
};
using EndedRunRef = std::shared_ptr<EndedRun>;

class EndedRuns {
public:
    explicit EndedRuns(store::Store& store) : store_(store) {}
    EndedRuns(const EndedRuns&) = delete;
    EndedRuns& operator=(const EndedRuns&) = delete;

    // The one that others read already, or a new one. Must be let go of before this goes.
    // `with_events`: false if they have expired. Fails with overloaded, and as the store does.
    Task<Result<EndedRunRef>> share(store::RunWithMessages whole, bool with_events,
                                    TakeMemory take);

    std::size_t size() const;  // Those that are being read.

private:
    EndedRunRef find(const std::string& id) const;
    EndedRunRef add(std::unique_ptr<EndedRun> made);
    void remove(EndedRun* run);

    store::Store& store_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<EndedRun>> runs_;
};

}  // namespace parley::chat
