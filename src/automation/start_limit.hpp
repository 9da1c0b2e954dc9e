// The limit of the class `automation`: so many attempts of one user are started in any minute. What
// is beyond waits, and is not refused. Test mode is not counted. A user may have a number of their
// own, and a token another one inside it, for the runs that it has started by hand. The ledger has
// every start, so that a new process counts on where the last one ended.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "domain/chat.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

namespace parley::automation {

class StartLimit {
public:
    static constexpr std::chrono::seconds window{60};

    // Who a start is counted for.
    struct Payer {
        Owner owner = {};
        std::optional<std::uint32_t> limit = {};  // Nothing: the server's.
        std::optional<std::string> token = {};
        std::optional<std::uint32_t> token_limit = {};  // Nothing: the user's.
    };

    // The clock must outlive it.
    StartLimit(std::int64_t most, const Clock& clock) : most_(most), clock_(clock) {}

    // Gives the start, for the two functions that follow.
    SteadyPoint count(const Payer& payer);
    // It is stored, and counts from now on: the ledger shows a time in between as its start.
    void note_begun(const Payer& payer, SteadyPoint start);
    // It was not started after all.
    void give_back(const Payer& payer, SteadyPoint start);
    // A start of an earlier process. Older ones come first.
    void count_earlier(const Payer& payer, std::chrono::nanoseconds ago);
    // Others, which this does not count, have used the limit up: admits nothing for so long, or
    // until the limit is another one.
    void hold(const Payer& payer, std::chrono::nanoseconds wait);

    bool admits(const Payer& payer) { return wait(payer).count() == 0; }
    // How long until one more is admitted.
    std::chrono::nanoseconds wait(const Payer& payer);

    struct Left {
        std::int64_t limit = 0;
        std::int64_t remaining = 0;
        std::chrono::seconds reset{};  // Until one more is free, rounded up; 0: all are free.
    };
    // The figures of the user, or those of the token if fewer starts remain to it.
    Left left(const Payer& payer);

    // Tokens that may start nothing now, as Ledger::startable takes them, and when the first of
    // them may.
    struct Held {
        std::string tokens = {};
        std::optional<std::chrono::nanoseconds> wait = {};
    };
    Held held();

private:
    struct Starts {
        std::deque<SteadyPoint> times = {};
        std::int64_t most = 0;  // As it was last known.
    };
    using StartsById = std::unordered_map<std::string, Starts>;
    struct Hold {
        SteadyPoint until = {};
        std::int64_t most = 0;
    };

    SteadyPoint add(const Payer& payer, std::chrono::nanoseconds ago);
    void forget_old(Starts& starts) const;
    // The starts of the last minute; null if there are none.
    const Starts* starts_of(StartsById& all, const std::string& id, std::int64_t most) const;
    std::chrono::nanoseconds wait(const Starts* starts) const;
    Left left(const Starts* starts, std::int64_t most) const;
    // Nothing, or how long this user is held.
    std::chrono::nanoseconds hold_of(const Payer& payer) REQUIRES(mutex_);
    std::int64_t most_of(const Payer& payer) const
    {
        return payer.limit ? std::int64_t{*payer.limit} : most_;
    }

    const std::int64_t most_;
    const Clock& clock_;
    Mutex mutex_;
    StartsById users_ GUARDED_BY(mutex_);
    StartsById tokens_ GUARDED_BY(mutex_);
    std::unordered_map<std::string, Hold> holds_ GUARDED_BY(mutex_);  // By user.
};

}  // namespace parley::automation
