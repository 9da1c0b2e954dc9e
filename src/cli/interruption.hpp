// Turns Ctrl-C and termination signals into flags, for a command that must clean up first. While it
// lives, SIGINT, SIGTERM and SIGHUP only interrupt waiting for input, and a closed output is a
// failed write.
//
// Threads: one of them at a time; looked at from any thread.
#pragma once

#include <array>
#include <csignal>

namespace parley::cli {

class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    // Since the last forget().
    static bool was_asked_for();
    // A second one since then, or a final one: stop waiting for an orderly end.
    static bool was_repeated();
    // SIGTERM or SIGHUP: the whole command must end.
    static bool is_final();
    static void forget();
    // Waits until there is input or its end; false if an interruption came first.
    static bool waits_for_input(int descriptor);

private:
    static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

    std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace parley::cli
