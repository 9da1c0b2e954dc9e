// A language model in this process, by llama.cpp, from any GGUF file; embedding models have an
// engine of their own (embedding_engine.hpp). One thread computes for all
// runs at once: schedule.hpp says how steps are made up, prefix_cache.hpp what is not computed
// twice.
//
// Threads: loading and computing have a thread of their own, whose compute threads yield to the
// event loops (nice +10).
#pragma once

#include "base/available_memory.hpp"
#include "engine/engine.hpp"
#include "engine/gguf/placement.hpp"

#include <chrono>
#include <functional>

namespace parley::engine::llama {

// Default sampling parameters.
struct UsualSampling {
    double temperature = 0.7;
    double top_p = 0.9;  // 1 if the caller sets the temperature.
    std::int64_t top_k = 40;
    double min_p = 0.05;
    double repeat_penalty = 1.05;
};

// A model that is ready.
struct Loaded {
    std::uint64_t gpu_bytes = 0;  // Memory of the GPUs that it takes.
};

struct LlamaOptions {
    std::string path = {};           // A file that engine/gguf has checked.
    gguf::Wish memory = {};          // Absent values follow from the file and the free memory.
    gguf::Placement placement = {};  // Decided before, from the wish (gguf::place).
    int threads = 0;                 // 0: one per core.
    std::chrono::milliseconds rest_after{
        30'000};                 // Releases the slots' memory when idle for this long.
    std::string kept_file = {};  // File of the prompt cache; empty: it is not saved.
    std::string instructions = "You are a helpful assistant.";  // If a session has none.
    UsualSampling usual = {};
    bool tools = false;  // The model was trained to call functions in the form of tool_text.hpp.
    std::function<void(int percent)> progress = {};  // From the loading thread.
    std::function<std::uint64_t()> available_memory = [] { return parley::available_memory(); };

    // Called once, from the engine's thread: the model is ready, or why loading failed. Not called
    // if the engine is destroyed before.
    std::function<void(Result<Loaded>)> loaded = {};
};

// Reads the vocabulary and returns while the weights are loading; questions wait until they are
// loaded. Fails with a message for the operator if the file cannot be used.
Result<std::unique_ptr<Engine>> make_llama_engine(LlamaOptions options);

}  // namespace parley::engine::llama
