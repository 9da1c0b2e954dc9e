// A mutex that the compiler understands: a member marked GUARDED_BY(mutex_) can be used only while
// mutex_ is held, a function marked REQUIRES(mutex_) can be called only then. clang checks both
// (-Wthread-safety); other compilers ignore the marks.
//
// The analysis does not look into lambdas, so that a wait for a condition is a loop:
//     while (!ready_) changed_.wait(lock);
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PARLEY_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define PARLEY_THREAD_ATTRIBUTE(x)
#endif

// The names are those of clang's documentation.
#define CAPABILITY(x) PARLEY_THREAD_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY PARLEY_THREAD_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(x) PARLEY_THREAD_ATTRIBUTE(guarded_by(x))
#define PT_GUARDED_BY(x) PARLEY_THREAD_ATTRIBUTE(pt_guarded_by(x))
#define REQUIRES(...) PARLEY_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) PARLEY_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) PARLEY_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) PARLEY_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) PARLEY_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define RETURN_CAPABILITY(x) PARLEY_THREAD_ATTRIBUTE(lock_returned(x))

namespace parley {

class CAPABILITY("mutex") Mutex {
public:
    void lock() ACQUIRE() { mutex_.lock(); }
    void unlock() RELEASE() { mutex_.unlock(); }
    bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

private:
    friend class MutexLock;
    std::mutex mutex_;
};

// Holds a mutex until the end of its scope, or until unlock().
class SCOPED_CAPABILITY MutexLock {
public:
    explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.mutex_) {}
    ~MutexLock() RELEASE() = default;
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    void unlock() RELEASE() { lock_.unlock(); }
    void lock() ACQUIRE() { lock_.lock(); }

private:
    friend class Condition;
    std::unique_lock<std::mutex> lock_;
};

// Waits with a mutex that is held; it is held again afterwards.
class Condition {
public:
    void wait(MutexLock& lock) { condition_.wait(lock.lock_); }

    // False once `time` has come.
    template <class Clock, class Duration>
    bool wait_until(MutexLock& lock, const std::chrono::time_point<Clock, Duration>& time)
    {
        return condition_.wait_until(lock.lock_, time) == std::cv_status::no_timeout;
    }

    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

private:
    std::condition_variable condition_;
};

}  // namespace parley
