// Leaves a server alone that has failed too often in a row, so that neither it nor whoever waits
// for it suffers more than needed: it is asked again once a while, and as soon as it answers, as
// before.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"

#include <chrono>

namespace parley::engine::upstream {

class Breaker {
public:
    static constexpr int failures_in_a_row = 5;
    static constexpr std::chrono::seconds pause{10};

    // Whether to ask now. While it is left alone, true once in each pause: that one is the probe.
    bool may_ask(SteadyPoint now);

    void succeeded();
    void failed(SteadyPoint now);

    // No answer came in time, which may lie in the question: a user who asks for long answers must
    // not take the model from others. True: it has happened often enough in a row that the server
    // must be probed now; probed() follows.
    bool timed_out();
    void probed(bool is_up, SteadyPoint now);

    // How long it is left alone from now on; zero where it is not.
    std::chrono::nanoseconds left_alone_for(SteadyPoint now) const;

private:
    mutable Mutex mutex_;
    int failures_ GUARDED_BY(mutex_) = 0;
    int timeouts_ GUARDED_BY(mutex_) = 0;
    bool is_being_probed_ GUARDED_BY(mutex_) = false;
    SteadyPoint probe_at_ GUARDED_BY(mutex_);  // Once there were enough failures.
};

}  // namespace parley::engine::upstream
