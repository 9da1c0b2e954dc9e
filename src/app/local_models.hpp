// Models that run inside this program: which ones a server is to have, whether they can be loaded,
// and what is told while they are.
#pragma once

#include "app/settings.hpp"
#include "engine/engine.hpp"
#include "engine/gguf/memory_need.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parley::app {

// Whether llama.cpp is built in.
#ifdef PARLEY_LLAMA
inline constexpr bool can_run_models = true;
#else
inline constexpr bool can_run_models = false;
#endif

struct LocalModel {
    std::string name;
    std::filesystem::path file;
    std::int64_t context = 0;
    std::int64_t threads = 0;
    std::int64_t slots = 0;
    std::int64_t cache_mib = 0;
    std::filesystem::path kept_file = {};  // Empty: what it has read ends with the server.
};

// The engine of a model; where its settings leave that open ("auto"): llama where there is a file
// for it, else scripted.
std::string engine_of(const std::string& name, const Settings& settings);

// What answers where nothing else is said: model.default, else the embedded model, else scripted.
std::string default_model(const Settings& settings);

// Those that the settings name, the files of the data directory, and the embedded model where it is
// the default one. Fails with a sentence where a model has no file.
Result<std::vector<LocalModel>> local_models(const Settings& settings);

// What its settings wish for, in terms of memory.
engine::gguf::Wish wish_of(const LocalModel& model);

// Whether each of them is sound, and all of them fit into so many bytes of memory, with as many
// conversations as are wished for, or one. Fails with a sentence about the first that is not.
Result<> check_local_models(std::span<const LocalModel> models, std::uint64_t available);

// What models that are no longer there had read (LocalModel::kept_file): nobody would forget it.
void drop_kept_files_of_others(const Settings& settings, std::span<const LocalModel> models);

// Comes back while the weights are being loaded; Engine::ready() says when they are. Where that
// fails later, the server ends with the reason (stop_because). Fails with a sentence.
Result<std::unique_ptr<engine::Engine>> open_local_model(const LocalModel& model);

}  // namespace parley::app
