// The place of a model: how many of its layers are in the memory of the GPUs, the others being
// in the memory of the machine. Decided from the file before the model is loaded, so that one that
// does not fit is refused with a message.
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "engine/gguf/memory_need.hpp"

namespace parley::engine::gguf {

// In bytes.
struct FreeMemory {
    std::uint64_t system = 0;
    std::uint64_t gpu = 0;  // The sum of all GPUs; 0: there is none.
};

struct Placement {
    std::uint64_t gpu_layers = 0;  // The output of the model counts as one more layer.
    std::uint64_t slots = 0;       // Answers at once; 0: not decided here, as nothing is on a GPU.
    bool whole = false;            // All layers are on the GPUs, so conversations are, too.
    std::uint64_t system_bytes = 0;  // With the slots, or with one conversation.
    std::uint64_t gpu_bytes = 0;
};

// With wish.gpu_layers < 0, as many layers as fit into the GPUs' free memory. Fails with a message
// if the model does not fit, or if layers are to be on a GPU and there is none.
Result<Placement> place(const Facts& facts, const Wish& wish, const FreeMemory& free);

}  // namespace parley::engine::gguf
