// A language model in this process, by llama.cpp, from any GGUF file. One thread computes for all
// runs at once: schedule.hpp says how steps are made up, prefix_cache.hpp what is not computed
// twice.
//
// Threads: loading and computing have a thread of their own, whose compute threads yield to the
// event loops (nice +10).
#pragma once

#include "base/available_memory.hpp"
#include "engine/engine.hpp"

#include <chrono>
#include <functional>

namespace parley::engine::llama {

// How answers are drawn if the caller asks for nothing else.
struct UsualSampling {
    double temperature = 0.7;
    double top_p = 0.9;  // 1 if the caller sets the temperature.
    std::int64_t top_k = 40;
    double min_p = 0.05;
    double repeat_penalty = 1.05;
};

struct LlamaOptions {
    std::string path = {};       // A file that engine/gguf has found sound.
    std::int64_t context = 0;    // Tokens per conversation; 0: what the model knows, at most 8,192.
    std::int64_t slots = 0;      // Answers written at once; 0: chosen from the memory that is free.
    int threads = 0;             // 0: one per core.
    std::size_t kept_bytes = 0;  // For what was read of earlier conversations; 0: chosen likewise.
    std::chrono::milliseconds rest_after{30'000};  // Idle so long, it gives its slots' memory back.
    std::string kept_file = {};  // Where what was read outlives this engine; empty: it does not.
    std::string instructions = "You are a helpful assistant.";  // Where a session has none.
    UsualSampling usual = {};
    std::function<void(int percent)> progress = {};  // From the loading thread.
    std::function<std::uint64_t()> available_memory = [] { return parley::available_memory(); };

    // Once, from the engine's thread: it can answer now, or why it never will. Not called where the
    // engine is destroyed before.
    std::function<void(Result<>)> loaded = {};
};

// Reads the vocabulary and comes back; the weights are loaded meanwhile, and who asks before they
// are there waits. Fails with a sentence for the operator where the file is none that can be used.
Result<std::unique_ptr<Engine>> make_llama_engine(LlamaOptions options);

}  // namespace parley::engine::llama
