#include "app/signals.hpp"

#include "base/mutex.hpp"

#include <csignal>
#include <initializer_list>
#include <poll.h>
#include <unistd.h>

namespace parley::app {
namespace {

sigset_t set_of(std::initializer_list<int> numbers)
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : numbers) sigaddset(&signals, number);
    return signals;
}

// One for the process, as signals are.
Mutex reason_mutex;
std::optional<Error> first_reason GUARDED_BY(reason_mutex);

// The terminal that the server was started on; none under nohup, which ignores SIGHUP.
int terminal = -1;

void find_terminal()
{
    struct sigaction before{};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler == SIG_IGN) return;
    for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (isatty(each) != 0) terminal = each;
}

// `kill -HUP` reloads on a terminal, too; a shell may pass SIGHUP on just before the terminal goes.
bool terminal_is_closed()
{
    constexpr int patience_ms = 1000;
    pollfd closed{.fd = terminal, .events = 0, .revents = 0};
    return terminal >= 0 && poll(&closed, 1, patience_ms) > 0 &&
           (closed.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

}  // namespace

void block_signals()
{
    find_terminal();
    const sigset_t waited_for = set_of({SIGHUP, SIGTERM, SIGINT});
    pthread_sigmask(SIG_BLOCK, &waited_for, nullptr);
    // A client or a log reader that has gone is an error of write(), not the end of the process.
    std::signal(SIGPIPE, SIG_IGN);
    // So is a file that must not grow any more (ulimit -f): the store says 503.
    std::signal(SIGXFSZ, SIG_IGN);
}

std::optional<Signal> next_signal(std::chrono::seconds patience)
{
    const sigset_t waited_for = set_of({SIGHUP, SIGTERM, SIGINT});
    const timespec time{.tv_sec = patience.count(), .tv_nsec = 0};
    const int number = sigtimedwait(&waited_for, nullptr, &time);
    if (number < 0) return std::nullopt;  // Also if it was interrupted, by a debugger for example.
    return number == SIGHUP && !terminal_is_closed() ? Signal::reload : Signal::stop;
}

void stop_because(Error reason)
{
    {
        const MutexLock lock(reason_mutex);
        if (!first_reason) first_reason = std::move(reason);
    }
    kill(getpid(), SIGTERM);
}

std::optional<Error> why_stopped()
{
    const MutexLock lock(reason_mutex);
    return first_reason;
}

void exit_on_next_signal()
{
    const auto exit_now = [](int) { ::_exit(1); };
    std::signal(SIGTERM, exit_now);
    std::signal(SIGINT, exit_now);
    const sigset_t final = set_of({SIGTERM, SIGINT});
    pthread_sigmask(SIG_UNBLOCK, &final, nullptr);
}

}  // namespace parley::app
