// Usage of answers that are not stored. A transaction for each of them would cost more than the
// rest of the request, so they are added up here and stored together (Maintenance).
//
// Threads: any.
#pragma once

#include "base/mutex.hpp"
#include "store/usage.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace parley::chat {

class UsageRecorder {
public:
    // One request, with the tokens that are known.
    void count(const Owner& owner, const std::string& model, TimePoint now, const Usage& tokens);

    // The reservation of an answer that has ended.
    void settle(std::string id);

    // All that was counted; it is no longer here.
    struct Counted {
        std::vector<store::DailyUsage> used = {};
        std::vector<std::string> settled = {};

        bool empty() const { return used.empty() && settled.empty(); }
    };
    Counted take();
    // It could not be stored.
    void put_back(Counted taken);

private:
    void add(const store::DailyUsage& used) REQUIRES(mutex_);

    using Key = std::tuple<Owner, std::string, store::Day>;
    Mutex mutex_;
    std::map<Key, store::DailyUsage> counted_ GUARDED_BY(mutex_);
    std::vector<std::string> settled_ GUARDED_BY(mutex_);
};

}  // namespace parley::chat
