// A circuit breaker: pauses requests to a server after several failures in a row. Once in each
// pause a probe is sent; when one succeeds, requests continue.
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

    // Whether to send a request now. While the breaker is open, true once in each pause: that
    // request is the probe.
    bool may_ask(SteadyPoint now);

    void succeeded();
    void failed(SteadyPoint now);

    // The answer timed out, possibly because of the question: a user who asks for long answers must
    // not open the breaker for others. True: after several timeouts in a row the server must be
    // probed now; probed() follows.
    bool timed_out();
    void probed(bool is_up, SteadyPoint now);

    // The rest of the pause; zero if the breaker is closed.
    std::chrono::nanoseconds remaining_pause(SteadyPoint now) const;

private:
    mutable Mutex mutex_;
    int failures_ GUARDED_BY(mutex_) = 0;
    int timeouts_ GUARDED_BY(mutex_) = 0;
    bool is_being_probed_ GUARDED_BY(mutex_) = false;
    SteadyPoint probe_at_ GUARDED_BY(mutex_);  // Once there were enough failures.
};

}  // namespace parley::engine::upstream
