// Loads the weights of a model.
#pragma once

#include "engine/llama/vocabulary.hpp"

#include <functional>
#include <string>

namespace parley::engine::llama {

// Takes as long as the disk needs. This many layers are loaded into the memory of GPUs; with 0, no
// GPU is used at all. `progress` may be empty; if it returns false, loading stops. Null if the file
// cannot be loaded: llama.cpp has logged why.
ModelHandle load_weights(const std::string& path, std::uint64_t gpu_layers,
                         const std::function<bool(float)>& progress);

}  // namespace parley::engine::llama
