#include "models/local_models.hpp"

#include "base/log.hpp"
#include "engine/gguf/placement.hpp"
#include "engine/models.hpp"
#include "models/model_files.hpp"

#include <algorithm>

namespace parley::models {

namespace fs = std::filesystem;

namespace {

// Near the best of the settings that docs/decisions/0035 compares: so small a model answers best if
// it is sure, and goes in circles without a penalty.
constexpr engine::llama::UsualSampling embedded_sampling{
    .temperature = 0.1, .top_p = 0.5, .top_k = 40, .min_p = 0.1, .repeat_penalty = 1.1};

Error cannot(const LocalModel& model, const Error& why)
{
    return Error{why.code, "The model " + model.name + " cannot be loaded. " + why.message};
}

}  // namespace

std::string engine_of(const std::string& name, const Options& options, const fs::path& data)
{
    const ModelOptions& model = options.of(name);
    if (model.engine != "auto") return model.engine;
    return !model.llama.path.empty() || find_model_file(data, name) ? "llama" : "scripted";
}

std::string default_model(const Options& options, const fs::path& data)
{
    if (!options.default_model.empty()) return options.default_model;
    const bool is_there = !can_run_models || find_model_file(data, embedded_model);
    return std::string(is_there ? embedded_model : engine::scripted_name);
}

bool offers_embedded_model(const Options& options, const fs::path& data)
{
    const std::string name(embedded_model);
    if (default_model(options, data) == name) return true;
    return options.named.contains(name) && options.of(name).llama.path.empty() &&
           engine_of(name, options, data) == "llama";
}

Result<std::vector<LocalModel>> local_models(const Options& options, const fs::path& data)
{
    std::vector<LocalModel> wanted;
    const auto files = model_files(data);
    const auto add = [&](const std::string& name) -> Result<> {
        const ModelOptions& model = options.of(name);
        const auto file = std::ranges::find(files, name, &ModelFile::name);
        if (model.llama.path.empty() && file == files.end())
            return invalid_request("models." + name +
                                   ".path: the model needs a GGUF file. Name it, "
                                   "or add it: `parley model add FILE --name " +
                                   name + "`.");
        LocalModel& made = wanted.emplace_back(name, model.llama);
        if (made.options.path.empty()) made.options.path = file->path;
        if (name == embedded_model) made.options.usual = embedded_sampling;
        made.options.memory.context = static_cast<std::uint64_t>(model.context);
        return {};
    };
    for (const auto& [name, model] : options.named)
        if (engine_of(name, options, data) == "llama")
            if (auto added = add(name); !added) return added.error();
    for (const ModelFile& file : files) {
        const bool is_asked_for = !file.embedded || default_model(options, data) == file.name;
        if (can_run_models && is_asked_for && !options.named.contains(file.name))
            if (auto added = add(file.name); !added) return added.error();
    }
    return wanted;
}

Result<> place_local_models(std::span<LocalModel> models, engine::gguf::FreeMemory free)
{
    for (LocalModel& model : models) {
        const auto facts = engine::gguf::examine(model.options.path);
        if (!facts) return cannot(model, facts.error());
        const auto placed = engine::gguf::place(*facts, model.options.memory, free);
        if (!placed) return cannot(model, placed.error());
        model.options.placement = *placed;
        free.system -= placed->system_bytes;
        free.gpu -= std::min(free.gpu, placed->gpu_bytes);
    }
    return {};
}

bool may_use_gpu(std::span<const LocalModel> models)
{
    return std::ranges::any_of(
        models, [](const LocalModel& model) { return model.options.memory.gpu_layers != 0; });
}

void drop_kept_files_of_others(const fs::path& data, std::span<const LocalModel> models)
{
    if (data.empty()) return;
    std::error_code error;
    fs::directory_iterator file(cache_folder(data), error);
    for (; !error && file != fs::directory_iterator(); file.increment(error))
        if (std::ranges::none_of(models, [&](const LocalModel& model) {
                return file->path() == model.options.kept_file;
            }))
            fs::remove(file->path(), error);
}

#ifdef PARLEY_LLAMA

Result<std::unique_ptr<engine::Engine>> open_local_model(const LocalModel& model,
                                                         std::function<void(Error)> failed)
{
    engine::llama::LlamaOptions options = model.options;
    options.progress = [name = model.name, told = 0](int percent) mutable {
        if (percent < told + 10) return;
        told = percent;
        log::info("loading model", log::kv("model", name), log::kv("percent", percent));
    };
    options.loaded = [model,
                      failed = std::move(failed)](const Result<engine::llama::Loaded>& outcome) {
        if (!outcome) return failed(cannot(model, outcome.error()));
        if (model.options.placement.gpu_layers == 0)
            return log::info("model ready", log::kv("model", model.name));
        log::info("model ready", log::kv("model", model.name),
                  log::kv("gpu_layers", model.options.placement.gpu_layers),
                  log::kv("gpu_memory_mib", outcome->gpu_bytes >> 20U),
                  log::kv("slots", model.options.placement.slots));
    };
    auto engine = engine::llama::make_llama_engine(std::move(options));
    if (!engine) return cannot(model, engine.error());
    return engine;
}

#else

Result<std::unique_ptr<engine::Engine>> open_local_model(const LocalModel& model,
                                                         std::function<void(Error)> /*failed*/)
{
    return cannot(model, {Errc::model_unavailable,
                          "This Parley was built without llama.cpp (-DPARLEY_LLAMA=OFF)."});
}

#endif

}  // namespace parley::models
