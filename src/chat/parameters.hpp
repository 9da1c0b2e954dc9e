// The sampling parameters of a run, as stored.
#pragma once

#include "engine/engine.hpp"

#include <string>
#include <string_view>

namespace parley::chat {

// `trace` is the `traceparent` of the question; may be empty.
std::string write_parameters(const engine::Sampling& sampling, const std::string& trace);
engine::Sampling read_parameters(std::string_view text);
std::string read_trace(std::string_view text);

}  // namespace parley::chat
