// How many messages of imports wait for the index, as far as this server knows. An import waits
// while there are many: otherwise the messages of others would wait behind them.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parley::store::sql {

class IndexBacklog {
public:
    // The index takes a second for them.
    static constexpr std::int64_t most_waiting = 2000;
    // Longer than a server takes from one look at the index to the next.
    static constexpr std::chrono::seconds longest_pause{70};

    void imported(std::size_t messages) { waiting_ += static_cast<std::int64_t>(messages); }

    // `is_end`: no message waits.
    void indexed(std::size_t messages, bool is_end, SteadyPoint now)
    {
        const std::int64_t before = waiting_;
        waiting_ =
            is_end ? 0 : std::max<std::int64_t>(before - static_cast<std::int64_t>(messages), 0);
        last_indexed_ = now.time_since_epoch().count();
    }

    // False if nothing is indexed, as by a command that opens the store itself.
    bool is_long(SteadyPoint now) const
    {
        const SteadyPoint last{SteadyPoint::duration(last_indexed_.load())};
        return waiting_ > most_waiting && now - last < longest_pause;
    }

private:
    std::atomic<std::int64_t> waiting_ = 0;
    std::atomic<SteadyPoint::rep> last_indexed_ = SteadyPoint::duration::min().count() / 2;
};

}  // namespace parley::store::sql
