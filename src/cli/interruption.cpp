#include "cli/interruption.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace parley::cli {
namespace {

volatile std::sig_atomic_t asked_for = 0;
volatile std::sig_atomic_t final = 0;

// Holds a byte from each signal on, so that a signal just before a wait still ends it.
struct Wake {
    Wake()
    {
        if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) ends = {-1, -1};
    }

    std::array<int, 2> ends{};
};

const Wake& wake()
{
    static const Wake made;  // Never closed: a signal may arrive at any time.
    return made;
}

void note(int signal)
{
    const int error = errno;
    asked_for = asked_for == 0 ? 1 : 2;
    if (signal != SIGINT) final = 1;
    static_cast<void>(!::write(wake().ends[1], "", 1));
    errno = error;
}

}  // namespace

Interruption::Interruption()
{
    wake();  // Created here, not in the handler.
    forget();
    for (std::size_t i = 0; i < signals.size(); ++i) {
        struct sigaction action{};
        action.sa_handler = signals.at(i) == SIGPIPE ? SIG_IGN : note;
        // Without SA_RESTART, so that a signal interrupts the wait for a line of input.
        sigaction(signals.at(i), &action, &before_.at(i));
    }
}

Interruption::~Interruption()
{
    for (std::size_t i = 0; i < signals.size(); ++i)
        sigaction(signals.at(i), &before_.at(i), nullptr);
}

bool Interruption::was_asked_for() { return asked_for != 0; }

bool Interruption::was_repeated() { return asked_for > 1 || is_final(); }

bool Interruption::is_final() { return final != 0; }

void Interruption::forget()
{
    asked_for = 0;
    std::array<char, 64> dropped{};
    while (::read(wake().ends[0], dropped.data(), dropped.size()) > 0) {
    }
}

bool Interruption::waits_for_input(int descriptor)
{
    if (is_final()) return false;
    std::array<pollfd, 2> waiting = {pollfd{.fd = descriptor, .events = POLLIN, .revents = 0},
                                     pollfd{.fd = wake().ends[0], .events = POLLIN, .revents = 0}};
    while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR && !was_asked_for()) {
    }
    return !was_asked_for();
}

}  // namespace parley::cli
