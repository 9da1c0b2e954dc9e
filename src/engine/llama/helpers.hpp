// Threads that help the engine's thread with many small and equal pieces of work, such as sampling
// a token for each of 64 answers: while it samples, the GPU has nothing to do.
//
// Threads: belongs to the engine's thread, whose niceness the helpers inherit.
#pragma once

#include "base/mutex.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace parley::engine::llama {

class Helpers {
public:
    explicit Helpers(std::size_t count);
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    ~Helpers();

    // Calls work(0) to work(count - 1), each once, in any order and at the same time; returns after
    // the last one. It must not throw.
    void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

private:
    void help();
    void take_part(const std::function<void(std::size_t)>& work, std::size_t count);

    Mutex mutex_;
    Condition changed_;
    Condition done_;
    const std::function<void(std::size_t)>* work_ GUARDED_BY(mutex_) = nullptr;  // Null: none left.
    std::size_t count_ GUARDED_BY(mutex_) = 0;
    std::size_t round_ GUARDED_BY(mutex_) = 0;
    std::size_t busy_ GUARDED_BY(mutex_) = 0;  // Helpers that take part in this round.
    bool ends_ GUARDED_BY(mutex_) = false;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace parley::engine::llama
