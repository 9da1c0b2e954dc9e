#include "base/log_writer.hpp"

#include "base/mutex.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace parley::log {
namespace {

// Writes as much as the output takes, and waits for it if necessary. Returns the rest: empty,
// unless the output is broken (the reader is gone, the disk is full).
std::string_view write_all(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            pollfd output{.fd = fd, .events = POLLOUT, .revents = 0};
            ::poll(&output, 1, -1);
        } else if (written == 0 || errno != EINTR) {
            break;
        }
    }
    return text;
}

std::uint64_t count_lines(std::string_view text)
{
    return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

// Signals are for other threads. If the reader is gone, write(2) must fail instead of ending the
// process.
void block_signals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

struct Writer::State {
    explicit State(std::function<std::string(std::uint64_t)> tell) : tell_dropped(std::move(tell))
    {
    }

    const std::function<std::string(std::uint64_t)> tell_dropped;

    Mutex mutex;
    Condition work;     // Wakes the writer.
    Condition written;  // Wakes the threads that wait for the writer.
    std::string waiting GUARDED_BY(mutex);
    std::uint64_t dropped GUARDED_BY(mutex) = 0;
    std::uint64_t taken_bytes GUARDED_BY(mutex) = 0;
    std::uint64_t done_bytes GUARDED_BY(mutex) = 0;
    int fd GUARDED_BY(mutex) = 2;
    bool running GUARDED_BY(mutex) = false;
    bool stopping GUARDED_BY(mutex) = false;
    bool idle GUARDED_BY(mutex) = false;    // The writer waits for any line.
    bool urgent GUARDED_BY(mutex) = false;  // The writer must not sleep.

    void run();
    bool take(std::string& batch, MutexLock& lock) REQUIRES(mutex);
};

// Waits for lines and takes them all; false at the end.
bool Writer::State::take(std::string& batch, MutexLock& lock)
{
    idle = true;
    while (waiting.empty() && !stopping) work.wait(lock);
    idle = false;
    urgent = false;
    batch.clear();
    std::swap(batch, waiting);  // Both keep their capacity.
    return !batch.empty();
}

void Writer::State::run()
{
    block_signals();
    std::string batch;
    MutexLock lock(mutex);
    while (take(batch, lock)) {
        const std::size_t bytes = batch.size();
        const std::uint64_t missing = std::exchange(dropped, 0);
        const int output = fd;
        lock.unlock();
        if (missing > 0) batch += tell_dropped(missing);
        std::uint64_t lost = count_lines(write_all(output, batch));
        if (lost > 0 && missing > 0)
            lost += missing - 1;  // The lost last line would have reported
                                  // these.
        lock.lock();
        dropped += lost;
        done_bytes += bytes;
        written.notify_all();
        const auto rested = std::chrono::steady_clock::now() + rest;
        while (!urgent && !stopping && work.wait_until(lock, rested)) {
        }
    }
    running = false;
    written.notify_all();
}

Writer::Writer(std::function<std::string(std::uint64_t)> tell_dropped)
    : state_(std::make_shared<State>(std::move(tell_dropped)))
{
}

Writer::~Writer() { stop(std::chrono::seconds(2)); }

void Writer::start(int fd)
{
    stop(std::chrono::seconds(2));
    State& state = *state_;
    const MutexLock lock(state.mutex);
    state.fd = fd;
    state.stopping = false;
    if (state.running) return;  // A thread that stop() abandoned continues its work.
    state.running = true;
    thread_ = std::thread([kept = state_] { kept->run(); });
    ::pthread_setname_np(thread_.native_handle(), "log");
}

void Writer::append(std::string_view line, bool urgent)
{
    State& state = *state_;
    MutexLock lock(state.mutex);
    if (!state.running) {
        write_all(state.fd, line);
        return;
    }
    if (state.waiting.size() + line.size() > max_waiting_bytes) {
        ++state.dropped;
        return;
    }
    state.waiting += line;
    state.taken_bytes += line.size();
    const bool half_full = state.waiting.size() > max_waiting_bytes / 2;
    const bool hurry = (urgent || half_full) && !std::exchange(state.urgent, true);
    const bool wake = std::exchange(state.idle, false) || hurry;
    lock.unlock();
    if (wake) state.work.notify_one();
}

bool Writer::flush(std::chrono::milliseconds patience)
{
    State& state = *state_;
    MutexLock lock(state.mutex);
    const std::uint64_t until = state.taken_bytes;
    state.urgent = true;
    state.work.notify_one();
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (state.done_bytes < until && state.running && state.written.wait_until(lock, deadline)) {
    }
    return state.done_bytes >= until || !state.running;
}

void Writer::stop(std::chrono::milliseconds patience)
{
    State& state = *state_;
    MutexLock lock(state.mutex);
    state.stopping = true;
    state.work.notify_one();
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (state.running && state.written.wait_until(lock, deadline)) {
    }
    const bool ended = !state.running;
    lock.unlock();
    if (!thread_.joinable()) return;
    if (ended)
        thread_.join();
    else
        thread_.detach();
}

}  // namespace parley::log
