#include "engine/llama/weights.hpp"

#include <llama.h>

#include <array>

namespace parley::engine::llama {
namespace {

bool report(float share, void* progress)
{
    return (*static_cast<const std::function<bool(float)>*>(progress))(share);
}

}  // namespace

ModelHandle load_weights(const std::string& path, std::uint64_t gpu_layers,
                         const std::function<bool(float)>& progress)
{
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = static_cast<std::int32_t>(gpu_layers);
    std::array<ggml_backend_dev_t, 1> no_devices{nullptr};
    if (gpu_layers == 0) params.devices = no_devices.data();
    auto reported = progress;
    if (reported) {
        params.progress_callback = report;
        params.progress_callback_user_data = &reported;
    }
    return ModelHandle(llama_model_load_from_file(path.c_str(), params));
}

}  // namespace parley::engine::llama
