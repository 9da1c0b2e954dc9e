// The sampling parameters of a run, as stored.
#pragma once

#include "engine/engine.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace parley::chat {

// Parameters of a question through the Responses API.
struct ResponseParameters {
    std::string instructions = {};                   // For this run only.
    std::optional<boost::json::value> request = {};  // The parts of it that the response repeats.
};

// `trace` is the `traceparent` of the question; may be empty. `timeout`: only if it is another one
// than the server's.
std::string write_parameters(const engine::Sampling& sampling, const std::string& trace,
                             std::optional<std::chrono::seconds> timeout = {},
                             const ResponseParameters& response = {});
std::optional<std::chrono::seconds> read_timeout(std::string_view text);
// Fails with internal if it has a format or tools that cannot be read: the answer must not be free
// text then.
Result<engine::Sampling> read_parameters(std::string_view text);
// Whether the answer must have a format.
bool has_format(std::string_view text);
std::string read_trace(std::string_view text);
// Null if there are none.
engine::ToolsRef read_tools(std::string_view text);
ResponseParameters read_response(std::string_view text);

// The instructions that the model gets: those of the run, and then those of the session.
std::string all_instructions(const std::string& of_run,
                             const std::optional<std::string>& of_session);

}  // namespace parley::chat
