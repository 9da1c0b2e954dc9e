#include "engine/llama/gpu.hpp"

#include "engine/llama/vocabulary.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <ggml-backend.h>
#include <optional>
#include <string_view>

namespace parley::engine::llama {
namespace {

std::string fault(const std::filesystem::path& file, std::string_view why)
{
    return file.string() + " cannot be used: " + std::string(why) + ".";
}

std::string last_dl_error()
{
    const char* text = ::dlerror();
    return text ? text : "it is not a library";
}

// Empty if the backend was loaded. A backend that was built from another llama.cpp would crash this
// program, so each file carries the version (cmake/gpu_backend).
std::string load_backend(const std::filesystem::path& file)
{
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return fault(file, last_dl_error());
    const auto* version = static_cast<const char*>(::dlsym(library, "parley_llama_version"));
    std::string why;
    if (!version || std::string_view(version) != PARLEY_LLAMA_SOURCE)
        why = fault(file, "it was built for another version of Parley");
    else if (!ggml_backend_load(file.c_str()))
        why = fault(file, "it does not start: see the lines before this one");
    ::dlclose(library);  // ggml has opened it itself.
    return why;
}

bool is_gpu(ggml_backend_dev_t device)
{
    const auto type = ggml_backend_dev_type(device);
    return type == GGML_BACKEND_DEVICE_TYPE_GPU || type == GGML_BACKEND_DEVICE_TYPE_IGPU;
}

std::vector<Gpu> devices_now()
{
    std::vector<Gpu> found;
    for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i) {
        ggml_backend_dev_t device = ggml_backend_dev_get(i);
        if (!is_gpu(device)) continue;
        std::size_t free = 0;
        std::size_t memory = 0;
        ggml_backend_dev_memory(device, &free, &memory);
        found.push_back({.name = ggml_backend_dev_name(device),
                         .description = ggml_backend_dev_description(device),
                         .memory = memory,
                         .free = free});
    }
    return found;
}

std::uint64_t free_gpu_memory() { return Gpus{.devices = devices_now()}.free(); }

}  // namespace

Gpus find_gpus(std::span<const std::filesystem::path> backends)
{
    static Mutex mutex;
    static std::optional<std::vector<std::string>> faults GUARDED_BY(mutex);
    const MutexLock lock(mutex);
    if (!faults) {
        start_llama();
        faults.emplace();
        for (const auto& file : backends)
            if (auto why = load_backend(file); !why.empty()) faults->push_back(std::move(why));
    }
    return {.backends = backends.size(), .devices = devices_now(), .faults = *faults};
}

GpuLoading::GpuLoading(bool uses_gpu)
{
    static Mutex one_at_a_time;
    if (!uses_gpu) return;
    lock_.emplace(one_at_a_time);
    free_before_ = free_gpu_memory();
}

std::uint64_t GpuLoading::taken() const
{
    return lock_ ? free_before_ - std::min(free_before_, free_gpu_memory()) : 0;
}

}  // namespace parley::engine::llama
