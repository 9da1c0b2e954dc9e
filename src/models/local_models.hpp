// Models that run inside this program: which ones a server has, whether they can be loaded, and log
// messages about loading.
#pragma once

#include "engine/engine.hpp"
#include "models/model_options.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parley::models {

// Whether llama.cpp is built in.
#ifdef PARLEY_LLAMA
inline constexpr bool can_run_models = true;
#else
inline constexpr bool can_run_models = false;
#endif

struct LocalModel {
    std::string name;
    engine::llama::LlamaOptions options = {};
};

// The engine of a model. For "auto": llama if there is a file for the model, else scripted.
std::string engine_of(const std::string& name, const Options& options,
                      const std::filesystem::path& data);

// The default model: model.default, else the embedded model, else scripted.
std::string default_model(const Options& options, const std::filesystem::path& data);

// Whether users can select the embedded model, which is a demonstration.
bool offers_embedded_model(const Options& options, const std::filesystem::path& data);

// The named models, the files of the data directory, and the embedded model if it is the
// default. Fails with a message if a model has no file.
Result<std::vector<LocalModel>> local_models(const Options& options,
                                             const std::filesystem::path& data);

// Decides how many layers of each model GPUs compute (options.placement). Checks that each model
// file is valid and that all models fit into the free memory, with the configured number of
// conversations, or one. Fails with a message about the first one that fails.
Result<> place_local_models(std::span<LocalModel> models, engine::gguf::FreeMemory free);

// Whether a model may use a GPU, so that GPUs have to be found.
bool may_use_gpu(std::span<const LocalModel> models);

// Deletes the saved prompt caches (LlamaOptions::kept_file) of models that no longer exist. Without
// this, deleted conversations would stay in them.
void drop_kept_files_of_others(const std::filesystem::path& data,
                               std::span<const LocalModel> models);

// Returns while the weights are still loading; Engine::ready() says when they are loaded. If
// loading fails later, `failed` is called from the engine's thread. Fails with a message.
Result<std::unique_ptr<engine::Engine>> open_local_model(const LocalModel& model,
                                                         std::function<void(Error)> failed);

}  // namespace parley::models
