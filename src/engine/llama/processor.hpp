// Whether this processor has the instructions that llama.cpp was built for: on an older machine the
// program must report this instead of crashing with an illegal instruction.
//
// Threads: any.
#pragma once

#include <string_view>

namespace parley::engine::llama {

// The first missing feature; empty if there is none.
std::string_view lacking_instructions();

}  // namespace parley::engine::llama
