// Wakes an idle thread: at once, or when the current turn of an event loop ends. A loop that hands
// over work cannot get the result before its turn ends, so the thread is not woken for the first
// piece; all work of the turn is then done together.
//
// Threads: everything is called with the mutex held, which also guards the work itself. This object
// is shared, because a loop may call it after the thread has ended.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"

#include <memory>
#include <vector>

namespace parley::journal::file {

class WriterWakeup : public std::enable_shared_from_this<WriterWakeup> {
public:
    Mutex mutex;

    // Sleeps until it is woken; may return spuriously.
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
