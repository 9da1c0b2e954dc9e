// Ctrl-C, and being told to end, as something to look at: for a command that has to tidy up first.
// While it lives, SIGINT, SIGTERM and SIGHUP end nothing but what waits for input, and a reader of
// the output who leaves is a failed write.
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
    // A second one since then, or a final one: do not wait any longer for an orderly end.
    static bool was_repeated();
    // Not Ctrl-C: the whole command is to end.
    static bool is_final();
    static void forget();
    // Waits until there is something to read, or its end; false where an interruption came first.
    static bool waits_for_input(int descriptor);

private:
    static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

    std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace parley::cli
