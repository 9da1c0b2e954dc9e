// A command of the command line: a file in this folder, with one function that describes its
// options and returns the function that runs it; and a row in commands.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace parley::cli {

inline constexpr int succeeded = 0;
inline constexpr int failed = 1;
inline constexpr int misunderstood = 2;
inline constexpr int interrupted = 130;  // As a shell reports SIGINT.

// Options of every command; --config and --set only for those that use a data directory.
struct Common {
    std::string data;                      // --data
    bool json = false;                     // --json: one JSON object per line
    std::string config;                    // --config
    std::vector<std::string> assignments;  // --set
    std::string url;                       // --url: a server elsewhere
    std::string token_file;                // --token-file: the token for it
};

// Runs a command whose options have been read; returns the exit code.
using Run = std::function<int()>;

struct Command {
    std::string_view name;
    std::string_view summary;
    bool reads_settings;  // Takes --config and --set.
    bool works_remotely;  // Takes --url and --token-file.
    // `common` outlives the result, and is filled in before the result is called.
    Run (*describe)(CLI::App& command, const Common& common);
};

Run describe_audit(CLI::App& command, const Common& common);
Run describe_automation(CLI::App& command, const Common& common);
Run describe_backup(CLI::App& command, const Common& common);
Run describe_chat(CLI::App& command, const Common& common);
Run describe_completion(CLI::App& command, const Common& common);
Run describe_doctor(CLI::App& command, const Common& common);
Run describe_events(CLI::App& command, const Common& common);
Run describe_import(CLI::App& command, const Common& common);
Run describe_export(CLI::App& command, const Common& common);
Run describe_health(CLI::App& command, const Common& common);
Run describe_man(CLI::App& command, const Common& common);
Run describe_model(CLI::App& command, const Common& common);
Run describe_openapi(CLI::App& command, const Common& common);
Run describe_replicas(CLI::App& command, const Common& common);
Run describe_restore(CLI::App& command, const Common& common);
Run describe_serve(CLI::App& command, const Common& common);
Run describe_token(CLI::App& command, const Common& common);
Run describe_user(CLI::App& command, const Common& common);
Run describe_version(CLI::App& command, const Common& common);
Run describe_webhook(CLI::App& command, const Common& common);

}  // namespace parley::cli
