#include "engine/llama/thread_choice.hpp"

#include <algorithm>

namespace parley::engine::llama {
namespace {

using namespace std::chrono_literals;

constexpr auto shortest_window = 50ms;
constexpr ThreadChoice::Time first_patience = 1s;
constexpr ThreadChoice::Time longest_patience = 60s;

// Threads with a core each are busy nearly all the time: they compute or spin.
constexpr double starved = 0.7;

}  // namespace

void ThreadChoice::computed(Time took, Time processor)
{
    took_ += took;
    processor_ += processor;
    if (took_ >= shortest_window) judge();
}

void ThreadChoice::judge()
{
    const double share =
        static_cast<double>(processor_.count()) / (static_cast<double>(took_.count()) * threads_);
    const Time window = took_;
    took_ = processor_ = {};
    if (share < starved) {
        if (threads_ == 1) return;  // The machine is so busy that more threads would be slower.
        threads_ = std::max(1, threads_ / 2);
        patience_ = is_trial_ ? std::min(2 * patience_, longest_patience) : first_patience;
        is_trial_ = false;
        since_ = {};
        return;
    }
    is_trial_ = false;
    if (threads_ == most_) return;
    since_ += window;
    if (since_ < patience_) return;
    threads_ = std::min(most_, 2 * threads_);
    is_trial_ = true;
    since_ = {};
}

}  // namespace parley::engine::llama
