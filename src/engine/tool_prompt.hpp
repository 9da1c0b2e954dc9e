// How a model in this process is told which functions it may call: a section after its
// instructions.
//
// Threads: plain functions.
#pragma once

#include "engine/engine.hpp"

#include <string>

namespace parley::engine {

// Empty if the model is not to call a function. With ToolUse::by_choice in the words of the
// template of Qwen 2.5, which models of that form were trained with; else in short words.
std::string tool_section(const Sampling& sampling, ToolUse use);

}  // namespace parley::engine
