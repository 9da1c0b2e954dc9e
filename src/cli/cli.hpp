// The command line of `parley`: Program, which main() runs. Each command is a file of this room
// (command.hpp); it calls the server, or opens the store if none runs (api_client.hpp).
#pragma once

#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

namespace parley::cli {

// Every command and option: CLI11 parses the arguments by it, and help and completion are made from
// it.
class Program {
public:
    Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const CLI::App& description() const { return app_; }

    // Runs one command and returns the exit code: 0, 1 (it failed), 2 (wrong usage).
    int run(int argc, const char* const* argv);

private:
    void add_settings(CLI::App& command);
    void add_remote(CLI::App& command);
    int run_chosen();
    int complain_about(const CLI::ParseError& error);

    CLI::App app_;
    Common common_;
    std::map<const CLI::App*, Run> runs_;
};

}  // namespace parley::cli
