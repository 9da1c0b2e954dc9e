// Signals of the operating system, handled one by one by a thread that waits for them, so that no
// code runs inside a signal handler.
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <optional>

namespace parley::app {

enum class Signal { reload, stop };

// To be called before other threads are started: they inherit that these signals are blocked.
void block_signals();

// Waits for SIGHUP (reload), SIGTERM or SIGINT (stop); nothing if none came in this time. SIGHUP
// means stop if the terminal that the server was started on is closed; not under nohup.
std::optional<Signal> next_signal(std::chrono::seconds patience);

// Stops the server as SIGTERM does, with an error as the reason: from any thread, at any time.
void stop_because(Error reason);

// The first such reason.
std::optional<Error> why_stopped();

// From now on SIGTERM and SIGINT end the process at once, with exit code 1.
void exit_on_next_signal();

}  // namespace parley::app
