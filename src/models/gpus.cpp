#include "models/gpus.hpp"

#include "models/model_files.hpp"

#include <algorithm>

namespace parley::models {

namespace fs = std::filesystem;

namespace {

std::string in_mib(std::uint64_t bytes) { return std::to_string(bytes >> 20U); }

}  // namespace

std::vector<fs::path> backend_files(const fs::path& program)
{
    std::vector<fs::path> files;
    const fs::path folder = program.parent_path();
    for (const fs::path& place : {folder / "backends", folder.parent_path() / "lib" / "parley"}) {
        std::error_code error;
        fs::directory_iterator file(place, error);
        for (; !error && file != fs::directory_iterator(); file.increment(error)) {
            const std::string name = file->path().filename();
            if (name.starts_with("libggml-") && name.ends_with(".so"))
                files.push_back(file->path());
        }
        if (!files.empty()) break;
    }
    std::ranges::sort(files);
    return files;
}

engine::llama::Gpus find_gpus()
{
#ifdef PARLEY_LLAMA
    return engine::llama::find_gpus(backend_files(this_program()));
#else
    return {};
#endif
}

std::string why_no_gpu(const engine::llama::Gpus& gpus)
{
    std::string why;
    for (const std::string& fault : gpus.faults) why += (why.empty() ? "" : " ") + fault;
    if (!why.empty()) return why;
    if (gpus.backends == 0)
        return "This Parley has no GPU backend: build it with -DPARLEY_CUDA=ON or "
               "-DPARLEY_VULKAN=ON.";
    return "The GPU backend finds no device: check the driver, and that this user may open the "
           "device files.";
}

std::string described(const engine::llama::Gpu& gpu)
{
    return gpu.description + " (" + gpu.name + "), " + in_mib(gpu.free) + " of " +
           in_mib(gpu.memory) + " MiB free";
}

}  // namespace parley::models
