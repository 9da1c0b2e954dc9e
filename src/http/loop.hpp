// An event loop: one thread, its sockets, its deadlines and the buffers that its connections share.
// Objects of a loop are used only on its thread; other threads `post` to its context.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "base/timer.hpp"
#include "http/read_buffer.hpp"
#include "http/timing_wheel.hpp"

#include <atomic>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace parley::http {

class Loop {
public:
    explicit Loop(const Clock& clock);

    boost::asio::io_context& context() { return context_; }
    Executor executor() { return context_.get_executor(); }
    TimingWheel& wheel() { return wheel_; }
    BlockPool& blocks() { return blocks_; }
    const Clock& clock() const { return clock_; }

    // "Date: …\r\n" of the current second.
    const std::string& date_line();

    // The buffer in which a connection assembles a head before its first attempt to send it.
    std::string& scratch() { return scratch_; }

    // For the choice of a loop and for the metrics; readable from any thread.
    std::atomic<std::uint32_t> connections{0};

    // The delay of the last tick: how long other work blocked the loop.
    std::chrono::nanoseconds lag() const { return std::chrono::nanoseconds(lag_ns_.load()); }

private:
    friend class Loops;
    Task<> keep_time(std::function<void(std::chrono::nanoseconds)> observe_lag);

    const Clock& clock_;
    TimingWheel wheel_;
    BlockPool blocks_;
    std::string scratch_;
    std::string date_line_;
    std::time_t date_second_ = 0;
    std::atomic<std::int64_t> lag_ns_{0};
    // Last, so that it is destroyed first: its coroutines still use the members above.
    boost::asio::io_context context_{1};
};

// All loops of the process, each on a thread of its own from construction to stop().
class Loops {
public:
    // Called on the loop's own thread, once a tick.
    using LagObserver = std::function<void(std::size_t loop, std::chrono::nanoseconds lag)>;

    // A count of 0 is one loop per processor core.
    Loops(std::size_t count, const Clock& clock, LagObserver observe_lag = {},
          const char* thread_name = "loop");
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;
    ~Loops();

    std::size_t size() const { return loops_.size(); }
    Loop& operator[](std::size_t index) { return *loops_[index]; }
    std::size_t index_with_fewest_connections() const;

    // Ends the threads. Pending work is destroyed, not finished.
    void stop();

private:
    std::vector<std::unique_ptr<Loop>> loops_;
    std::vector<std::thread> threads_;
};

}  // namespace parley::http
