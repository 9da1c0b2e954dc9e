// The GPUs of this machine, for models that run inside this program. Their backends are files
// beside the program: in backends/, as a build has them, or in ../lib/parley, as an installation
// has them.
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "engine/llama/gpu.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace parley::models {

// By name.
std::vector<std::filesystem::path> backend_files(const std::filesystem::path& program);

// Loads the backends, at the first call in the process. Without one there are no GPUs.
engine::llama::Gpus find_gpus();

// Why there is no GPU, in a sentence or more with advice.
std::string why_no_gpu(const engine::llama::Gpus& gpus);

// "NVIDIA H200 (CUDA0), 140331 of 143167 MiB free"
std::string described(const engine::llama::Gpu& gpu);

}  // namespace parley::models
