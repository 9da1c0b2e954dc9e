#include "app/adapters.hpp"

#include "app/local_models.hpp"
#include "app/model_files.hpp"
#include "app/upstream_settings.hpp"
#include "base/available_memory.hpp"
#include "base/log.hpp"
#include "engine/absent_engine.hpp"
#include "engine/scripted/scripted_engine.hpp"
#include "journal/file/file_journal.hpp"
#include "limits/local/local_limiter.hpp"
#include "store/sqlite/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"

#ifdef PARLEY_FAULTS
#include "store/faults/disk.hpp"
#endif

#include <algorithm>

namespace parley::app {
namespace {

store::sqlite::Options sqlite_options(const Settings& settings, const DataPaths& paths,
                                      metrics::StorageMetrics& metrics)
{
    store::sqlite::Options options = settings.sqlite;
    options.file = paths.database();
    options.on_commit = [&metrics](auto jobs, auto took) { metrics.committed(jobs, took); };
    options.on_checkpoint = [&metrics](auto took) { metrics.checkpointed(took); };
#ifdef PARLEY_FAULTS
    if (settings.test_faults) options.vfs = store::faults::vfs_name();
#endif
    return options;
}

bool is_secure(const engine::upstream::UpstreamServer& server) { return server.url.secure(); }

Result<> add_local_models(const Settings& settings, engine::Models& models)
{
    const auto wanted = local_models(settings);
    if (!wanted) return wanted.error();
    if (auto checked = check_local_models(*wanted, available_memory()); !checked) return checked;
    drop_kept_files_of_others(settings, *wanted);
    for (const LocalModel& model : *wanted) {
        auto engine = open_local_model(model);
        if (!engine) return engine.error();
        models.add(model.name, std::move(*engine));
    }
    if (!can_run_models && default_model(settings) == embedded_model &&
        !models.find(embedded_model))
        models.add(std::string(embedded_model), std::make_unique<engine::AbsentEngine>(
                                                    "This server was built without an embedded "
                                                    "model, and no other model is configured."));
    return {};
}

}  // namespace

Result<std::unique_ptr<store::Store>> open_store(const Settings& settings, const DataPaths& paths,
                                                 metrics::Metrics& metrics)
{
    if (settings.store_kind == "memory") return store::make_memory_store();
    return store::open_sqlite_store(sqlite_options(settings, paths, metrics.storage()));
}

Result<std::unique_ptr<engine::Models>> open_models(const Settings& settings,
                                                    http::client::Clients& clients)
{
    auto models = std::make_unique<engine::Models>();
    models->add(std::string(engine::scripted_name), engine::scripted::make_scripted_engine());
    for (const auto& [name, wanted] : settings.models) {
        if (!wanted.listed) models->hide(name);
        const std::string engine = engine_of(name, settings);
        if (engine == "upstream") {
            auto options = upstream_options(name, wanted, settings.runs.timeout);
            if (!options) return options.error();
            if (std::ranges::any_of(options->servers, &is_secure))
                if (const auto prepared = clients.prepare_tls(); !prepared)
                    return invalid_request(prepared.error().message);
            models->add(name, engine::upstream::make_upstream_engine(clients, std::move(*options)));
        } else if (engine == "scripted") {
            if (wanted.engine == "auto" && name != engine::scripted_name)
                log::warn(
                    "model has no file and uses the scripted engine; add a file with `parley model "
                    "add`, or set its engine",
                    log::kv("model", name));
            engine::scripted::ScriptedOptions options;
            if (wanted.context > 0) options.context = wanted.context;
            models->add(name, engine::scripted::make_scripted_engine(options));
        }
    }
    if (auto added = add_local_models(settings, *models); !added) return added.error();
    const std::string first = default_model(settings);
    if (!models->find(first))
        return invalid_request("model.default: there is no model \"" + first +
                               "\" on this server.");
    models->set_default(first);
    return models;
}

Result<std::unique_ptr<limits::Limiter>> open_limiter(const Settings& settings,
                                                      const DataPaths& paths)
{
    auto limiter =
        limits::local::LocalLimiter::open({.file = paths.limits(), .limits = settings.limits});
    if (!limiter) return limiter.error();
    return std::unique_ptr<limits::Limiter>(std::move(*limiter));
}

Result<std::unique_ptr<journal::Journal>> open_journal(const DataPaths& paths)
{
    auto journal = journal::file::FileJournal::open(paths.journal());
    if (!journal) return journal.error();
    return std::unique_ptr<journal::Journal>(std::move(*journal));
}

}  // namespace parley::app
