// The GPUs that models can be computed on. The code for a kind of GPU is a backend of llama.cpp in
// a file of its own (libggml-cuda.so, libggml-vulkan.so), which is loaded into the process. A
// program without such a file needs no library for GPUs.
//
// Threads: any.
#pragma once

#include "base/mutex.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::engine::llama {

struct Gpu {
    std::string name;          // "CUDA0"
    std::string description;   // "NVIDIA H200"
    std::uint64_t memory = 0;  // In bytes.
    std::uint64_t free = 0;
};

struct Gpus {
    std::size_t backends = 0;  // Backend files.
    std::vector<Gpu> devices = {};
    std::vector<std::string> faults = {};  // A sentence for each file that cannot be used.

    // Also in a program without llama.cpp, which finds none.
    std::uint64_t free() const
    {
        std::uint64_t sum = 0;
        for (const Gpu& device : devices) sum += device.free;
        return sum;
    }
};

// Loads the backends in these files, those of the first call in the process, and returns the GPUs
// as they are now.
Gpus find_gpus(std::span<const std::filesystem::path> backends);

// The loading of a model, which may take memory of GPUs. One at a time does, so that each can say
// how much that was.
class GpuLoading {
public:
    explicit GpuLoading(bool uses_gpu);

    std::uint64_t taken() const;  // Bytes so far.

private:
    std::optional<MutexLock> lock_;
    std::uint64_t free_before_ = 0;
};

}  // namespace parley::engine::llama
