#include "api/status.hpp"

#include "api/api.hpp"
#include "api/wire/status.hpp"
#include "chat/runs.hpp"
#include "engine/models.hpp"
#include "metrics/process_metrics.hpp"
#include "store/store.hpp"

#include <utility>

namespace parley::api {
namespace {

std::int64_t shown(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

Result<StatusView> get_status(const ServerFacts& facts, const engine::Models& models,
                              chat::Runs& runs, store::Store& store,
                              With<auth::Scope::admin> /*caller*/)
{
    StatusView status{.version = facts.version, .memory_bytes = shown(metrics::resident_bytes())};
    for (const auto& [name, engine] : models.all()) {
        ModelStatusView model{.id = name, .state = engine->ready() ? "ready" : "loading"};
        if (const auto bytes = engine->memory()) model.memory_bytes = shown(*bytes);
        status.models.push_back(std::move(model));
    }
    const metrics::StorageFigures kept = facts.storage();
    status.storage = {.writable = store.can_write().has_value(),
                      .database_bytes = shown(kept.store_bytes + kept.store_log_bytes),
                      .journal_bytes = shown(kept.journal_bytes),
                      .disk_free_bytes = shown(kept.disk_free_bytes)};
    const chat::RunFigures busy = runs.figures();
    status.queue = {.running = static_cast<std::int64_t>(busy.running),
                    .queued = static_cast<std::int64_t>(busy.queued)};
    return status;
}

}  // namespace

std::vector<Route> status_routes()
{
    return {route<get_status>("GET", "/v1/api/status", "getStatus", "Get the state of the server")};
}

}  // namespace parley::api
