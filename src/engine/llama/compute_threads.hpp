// The compute threads of a model, and how many of them are in use (thread_choice.hpp).
//
// Threads: belongs to the engine's thread, which is one of those that compute. The creating thread
// gets a lower priority than the event loops (nice +10), and the others inherit it.
#pragma once

#include "engine/llama/thread_choice.hpp"

#include <ctime>
#include <memory>
#include <vector>

struct ggml_threadpool;

namespace parley::engine::llama {

// The cores that this process may use.
int usable_cores();

class ComputeThreads {
public:
    // Null if the system does not allow so many threads.
    static std::unique_ptr<ComputeThreads> make(int most);

    ggml_threadpool* pool() const { return pool_.get(); }

    int count() const { return choice_.threads(); }  // To compute with next.

    // Before and after a computation.
    void begin();
    void end();

private:
    struct Freed {
        void operator()(ggml_threadpool* pool) const;
    };

    explicit ComputeThreads(int most) : choice_(most) {}
    ThreadChoice::Time processor_time() const;

    std::unique_ptr<ggml_threadpool, Freed> pool_;
    std::vector<clockid_t> clocks_;  // The clocks of the pool's other threads.
    ThreadChoice choice_;
    std::chrono::steady_clock::time_point begun_;
    ThreadChoice::Time processor_before_{};
};

}  // namespace parley::engine::llama
