#include "models/models.hpp"

#include "base/available_memory.hpp"
#include "base/log.hpp"
#include "engine/absent_engine.hpp"
#include "engine/scripted/scripted_engine.hpp"
#include "models/gpus.hpp"
#include "models/upstream_options.hpp"

#include <algorithm>

namespace parley::models {
namespace {

bool is_secure(const engine::upstream::UpstreamServer& server) { return server.url.secure(); }

// The free memory, with that of GPUs if a model may use them.
Result<> place_in_memory(std::span<LocalModel> models)
{
    engine::gguf::FreeMemory free{.system = available_memory()};
    engine::llama::Gpus gpus;
    if (may_use_gpu(models)) gpus = find_gpus();
    for (const std::string& fault : gpus.faults)
        log::warn("GPU backend not loaded", log::kv("reason", fault));
    for (const auto& gpu : gpus.devices)
        log::info("GPU found", log::kv("gpu", gpu.description), log::kv("device", gpu.name),
                  log::kv("memory_mib", gpu.memory >> 20U), log::kv("free_mib", gpu.free >> 20U));
    free.gpu = gpus.free();
    auto placed = place_local_models(models, free);
    const bool lacks_gpu = free.gpu == 0 && std::ranges::any_of(models, [](const auto& model) {
                               return model.options.memory.gpu_layers > 0;
                           });
    if (placed || !lacks_gpu) return placed;
    return Error{placed.error().code, placed.error().message + " " + why_no_gpu(gpus)};
}

Result<> add_local_models(const Options& options, const Host& host, engine::Models& models)
{
    auto wanted = local_models(options, host.data);
    if (!wanted) return wanted.error();
    if (host.keeps_caches && !host.data.empty())
        for (LocalModel& model : *wanted)
            model.options.kept_file = cache_folder(host.data) / (model.name + ".kept");
    if (auto placed = place_in_memory(*wanted); !placed) return placed;
    drop_kept_files_of_others(host.data, *wanted);
    for (const LocalModel& model : *wanted) {
        auto engine = open_local_model(model, host.loading_failed);
        if (!engine) return engine.error();
        models.add(model.name, std::move(*engine));
    }
    if (!can_run_models && default_model(options, host.data) == embedded_model &&
        !models.find(embedded_model))
        models.add(std::string(embedded_model), std::make_unique<engine::AbsentEngine>(
                                                    "This server was built without an embedded "
                                                    "model, and no other model is configured."));
    return {};
}

}  // namespace

Result<std::unique_ptr<engine::Models>> open_models(const Options& options, const Host& host)
{
    auto models = std::make_unique<engine::Models>();
    models->add(std::string(engine::scripted_name), engine::scripted::make_scripted_engine());
    for (const auto& [name, wanted] : options.named) {
        if (!wanted.listed) models->hide(name);
        const std::string engine = engine_of(name, options, host.data);
        if (engine == "upstream") {
            auto servers = upstream_options(name, wanted, host.run_timeout);
            if (!servers) return servers.error();
            if (std::ranges::any_of(servers->servers, &is_secure))
                if (const auto prepared = host.clients.prepare_tls(); !prepared)
                    return invalid_request(prepared.error().message);
            models->add(name,
                        engine::upstream::make_upstream_engine(host.clients, std::move(*servers)));
        } else if (engine == "scripted") {
            if (wanted.engine == "auto" && name != engine::scripted_name)
                log::warn(
                    "model has no file and uses the scripted engine; add a file with `parley model "
                    "add`, or set its engine",
                    log::kv("model", name));
            engine::scripted::ScriptedOptions scripted;
            if (wanted.context > 0) scripted.context = wanted.context;
            models->add(name, engine::scripted::make_scripted_engine(scripted));
        }
    }
    if (auto added = add_local_models(options, host, *models); !added) return added.error();
    const std::string first = default_model(options, host.data);
    if (!models->find(first))
        return invalid_request("model.default: there is no model \"" + first +
                               "\" on this server.");
    if (!models->find(first)->can_chat())
        return invalid_request("model.default: \"" + first +
                               "\" can only embed texts; name a model that answers questions.");
    models->set_default(first);
    return models;
}

}  // namespace parley::models
