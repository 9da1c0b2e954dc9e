// How many threads compute. ggml's threads wait for each other by spinning: if another process
// takes the core of one of them, the others burn theirs, and two threads become several times
// slower than one. So fewer threads compute while the machine is busy, and more are tried later.
//
// Threads: belongs to the engine's thread.
#pragma once

#include <chrono>

namespace parley::engine::llama {

class ThreadChoice {
public:
    using Time = std::chrono::nanoseconds;

    explicit ThreadChoice(int most) : most_(most), threads_(most) {}

    int threads() const { return threads_; }

    // After a step: how long it took, and how much processor time the threads had together.
    void computed(Time took, Time processor);

private:
    void judge();

    const int most_;
    int threads_;
    bool is_trial_ = false;
    Time took_{};       // Since the last judgement.
    Time processor_{};  // Likewise.
    Time since_{};      // Time with fewer threads than could be.
    Time patience_{};   // Before more are tried.
};

}  // namespace parley::engine::llama
