// Whether this processor can do what llama.cpp was built for: a program that is carried to an older
// machine is to say so instead of dying of an unknown instruction.
//
// Threads: any.
#pragma once

#include <string_view>

namespace parley::engine::llama {

// The first thing that is lacking; empty where nothing is.
std::string_view lacking_instructions();

}  // namespace parley::engine::llama
