// Wakes a thread that has nothing to do: at once, or when a loop's turn ends. A loop that hands
// over work cannot hear of it before its turn ends, so there is no hurry to wake the thread for the
// first piece; and what else the turn brings is then done together with it.
//
// Threads: everything is called with the mutex held, which also guards the work itself. This object
// is shared: a loop may come to wake the thread when it is gone.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"

#include <memory>
#include <vector>

namespace parley::journal::file {

class WriterWakeup : public std::enable_shared_from_this<WriterWakeup> {
public:
    Mutex mutex;

    // Sleeps until it is woken, or for no reason.
    void wait(MutexLock& lock) REQUIRES(mutex);

    void wake() REQUIRES(mutex);
    void wake_after_loop_turn(const Executor& loop) REQUIRES(mutex);

private:
    class WakeAtTurnEnd;

    Condition woken_;
    bool asleep_ GUARDED_BY(mutex) = false;          // And was not woken yet.
    bool wanted_ GUARDED_BY(mutex) = false;          // Since it fell asleep.
    std::vector<Executor> turns_ GUARDED_BY(mutex);  // Loops that will wake it.
};

}  // namespace parley::journal::file
