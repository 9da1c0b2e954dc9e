#include "app/local_models.hpp"

#include "base/log.hpp"
#ifdef PARLEY_LLAMA
#include "engine/llama/llama_engine.hpp"
#endif

#include <filesystem>

namespace parley::app {
namespace {

std::filesystem::path embedded_weights()
{
    std::error_code unknown;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    if (unknown) return {};
    return program.parent_path() / "models" / (std::string(embedded_model) + ".gguf");
}

}  // namespace

#ifdef PARLEY_LLAMA

bool has_embedded_model()
{
    std::error_code unknown;
    return std::filesystem::is_regular_file(embedded_weights(), unknown);
}

Result<std::unique_ptr<engine::Engine>> open_local_model(const std::string& name,
                                                         const ModelSettings& wanted)
{
    engine::LlamaOptions options{.path = wanted.path, .context = wanted.context};
    if (options.path.empty() && name == embedded_model) options.path = embedded_weights();
    if (options.path.empty())
        return invalid_request("models." + name + ".path must name the model's GGUF file.");
    options.progress = [name, told = 0](int percent) mutable {
        if (percent < told + 10) return;
        told = percent;
        log::info("loading a model", log::kv("model", name), log::kv("percent", percent));
    };
    options.loaded = [name](const Result<>& outcome) {
        if (outcome)
            log::info("a model can answer", log::kv("model", name));
        else
            log::error("a model cannot be loaded", log::kv("model", name),
                       log::kv("reason", outcome.error().message));
    };
    return engine::make_llama_engine(std::move(options));
}

#else

bool has_embedded_model() { return false; }

Result<std::unique_ptr<engine::Engine>> open_local_model(const std::string& name,
                                                         const ModelSettings&)
{
    return invalid_request("models." + name + ".engine: this program was built without llama.cpp.");
}

#endif

}  // namespace parley::app
