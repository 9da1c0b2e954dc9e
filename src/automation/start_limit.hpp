// The limit of the class `automation`: so many attempts of one user are started in any minute. What
// is beyond waits, and is not refused. Test mode is not counted. The ledger has every start, so
// that a new process counts on where the last one ended.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "domain/chat.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

namespace parley::automation {

class StartLimit {
public:
    static constexpr std::chrono::seconds window{60};

    // The clock must outlive it.
    StartLimit(std::int64_t most, const Clock& clock) : most_(most), clock_(clock) {}

    void count(const Owner& owner);
    // A start of an earlier process. Older ones come first.
    void count_earlier(const Owner& owner, std::chrono::nanoseconds ago);
    // The last one counted was not started after all.
    void give_back(const Owner& owner);

    bool admits(const Owner& owner);
    // How long until one more is admitted.
    std::chrono::nanoseconds wait(const Owner& owner);

    struct Left {
        std::int64_t limit = 0;
        std::int64_t remaining = 0;
        std::chrono::seconds reset{};  // Until one more is free, rounded up; 0: all are free.
    };
    Left left(const Owner& owner);

private:
    using Starts = std::deque<SteadyPoint>;

    // Those of the last minute.
    const Starts& starts_of(const Owner& owner) REQUIRES(mutex_);

    const std::int64_t most_;
    const Clock& clock_;
    Mutex mutex_;
    std::unordered_map<std::string, Starts> starts_ GUARDED_BY(mutex_);  // By user.
};

}  // namespace parley::automation
