// The definition of an automation as it is given on the command line: a JSON file, options, or a
// file whose fields are replaced by options. The server checks it.
#pragma once

#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::cli {

struct DefinitionArguments {
    std::string file;  // "-": standard input.
    std::string name;
    std::string message;
    std::string cron;
    std::string at;
    std::string time_zone;
    std::string hook;  // How its callers are checked; empty: no hook.
    std::string instructions;
    std::string model;
    std::vector<std::string> variables;  // NAME or NAME=DEFAULT
    std::string overlap;
    std::optional<std::int64_t> max_output_tokens;
    bool paused = false;
};

void add_definition_options(CLI::App& command, DefinitionArguments& asked);

// Fails with a message.
Result<boost::json::object> definition_of(const DefinitionArguments& asked);

// The JSON in a file, or on standard input for "-". Fails with a message.
Result<boost::json::value> read_json(const std::string& file);

// NAME=VALUE; nothing without the sign.
struct Assignment {
    std::string name;
    std::optional<std::string> value;
};
Assignment read_assignment(const std::string& text);

}  // namespace parley::cli
