#include "cli/interruption.hpp"

namespace parley::cli {
namespace {

volatile std::sig_atomic_t asked_for = 0;
volatile std::sig_atomic_t final = 0;

void note(int signal)
{
    asked_for = 1;
    if (signal != SIGINT) final = 1;
}

}  // namespace

Interruption::Interruption()
{
    forget();
    for (std::size_t i = 0; i < signals.size(); ++i) {
        struct sigaction action{};
        action.sa_handler = signals.at(i) == SIGPIPE ? SIG_IGN : note;
        // Without SA_RESTART: whoever waits for a line of input stops waiting.
        sigaction(signals.at(i), &action, &before_.at(i));
    }
}

Interruption::~Interruption()
{
    for (std::size_t i = 0; i < signals.size(); ++i)
        sigaction(signals.at(i), &before_.at(i), nullptr);
}

bool Interruption::was_asked_for() { return asked_for != 0; }

bool Interruption::is_final() { return final != 0; }

void Interruption::forget() { asked_for = 0; }

}  // namespace parley::cli
