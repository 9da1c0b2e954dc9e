// The embedded model, small enough for tests: five hundred tokens in each slot, and one compute
// thread, because two that wait for each other are slow when other tests use the cores.
#pragma once

#include "engine/llama/llama_engine.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::engine::llama {

inline std::string weights_for_tests() { return PARLEY_WEIGHTS; }

inline std::unique_ptr<Engine> open_llama(std::uint64_t slots = 8, std::string kept_file = {})
{
    auto made = make_llama_engine({.path = weights_for_tests(),
                                   .memory = {.context = 512, .slots = slots},
                                   .threads = 1,
                                   .kept_file = std::move(kept_file)});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
}

// A prompt with a deterministic answer.
inline Prompt asked(std::string question)
{
    return {.turns = {{Speaker::user, std::move(question)}},
            .sampling = {.max_output_tokens = 40, .temperature = 0}};
}

}  // namespace parley::engine::llama
