// Writes finished lines of all threads to a file descriptor, with one write(2) for all waiting
// lines. The first line after a pause is written at once; while lines keep coming, the writer rests
// between two writes, since waking it for each line would cost a loop more than the line itself. An
// urgent line ends the rest.
//
// Threads: append() and flush() from any thread; none of them waits for a write to end, except
// append() outside of start() and stop(), which belong to one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace parley::log {

class Writer {
public:
    static constexpr std::size_t max_waiting_bytes = 1U << 20U;
    static constexpr std::chrono::milliseconds rest{20};

    // `tell_dropped` makes the line about dropped lines.
    explicit Writer(std::function<std::string(std::uint64_t)> tell_dropped);
    ~Writer();

    void start(int fd);
    void append(std::string_view line, bool urgent);
    bool flush(std::chrono::milliseconds patience);

    // A writer thread that is stuck in a blocked output is abandoned: the process must not wait for
    // a reader that is gone.
    void stop(std::chrono::milliseconds patience);

private:
    struct State;

    std::shared_ptr<State> state_;
    std::thread thread_;
};

}  // namespace parley::log
