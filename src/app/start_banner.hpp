// The lines that a person at a terminal sees once the server listens. They go to standard output,
// and only if that is a terminal.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace parley::app {

struct Banner {
    std::string address;
    std::optional<std::string> setup_link;  // While there is no operator.
    std::string model;
    bool model_repeats = false;  // Its engine is the scripted one.
    std::filesystem::path data;
};

// Five lines: address, set-up link, model, data directory, how to stop.
void print_banner(const Banner& banner);

// After Ctrl-C: stopping may take a while.
void print_stopping();

}  // namespace parley::app
