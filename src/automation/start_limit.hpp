// The limit of the class `automation`: so many attempts of one user are started in any minute. What
// is beyond waits, and is not refused. Test mode is not counted. The ledger has every start, so
// that a new process counts on where the last one ended.
//
// Threads: one at a time.
#pragma once

#include "base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace parley::automation {

class StartLimit {
public:
    static constexpr std::chrono::seconds window{60};

    explicit StartLimit(std::int64_t most) : most_(most) {}

    void count(const std::string& user, TimePoint at) { starts_[user].push_back(at); }
    // The last one counted was not started after all.
    void give_back(const std::string& user)
    {
        if (auto& starts = starts_[user]; !starts.empty()) starts.pop_back();
    }

    bool admits(const std::string& user, TimePoint now)
    {
        auto& starts = starts_[user];
        while (!starts.empty() && starts.front() <= now - window) starts.pop_front();
        return static_cast<std::int64_t>(starts.size()) < most_;
    }
    // When one more is admitted, if now none is.
    TimePoint free_at(const std::string& user) const
    {
        const auto found = starts_.find(user);
        return found == starts_.end() || found->second.empty() ? TimePoint()
                                                               : found->second.front() + window;
    }

private:
    const std::int64_t most_;
    std::map<std::string, std::deque<TimePoint>> starts_;
};

}  // namespace parley::automation
