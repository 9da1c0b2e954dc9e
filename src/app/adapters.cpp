#include "app/adapters.hpp"

#include "app/settings_text.hpp"
#include "app/store_settings.hpp"
#include "app/version.hpp"
#include "base/block_on.hpp"
#include "cluster/alone/alone.hpp"
#include "cluster/postgres/postgres_cluster.hpp"
#include "journal/file/file_journal.hpp"
#include "journal/postgres/postgres_journal.hpp"
#include "limits/local/local_limiter.hpp"
#include "limits/postgres/postgres_limiter.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/transfer/transfer.hpp"
#include "tracing/tracing.hpp"

#ifdef PARLEY_FAULTS
#include "store/faults/disk.hpp"
#endif

#include <array>
#include <charconv>
#include <unistd.h>

namespace parley::app {
namespace {

// A commit has changes of many requests, so that its span belongs to none of them.
void note_commit(metrics::StorageMetrics& metrics, std::size_t jobs, std::chrono::nanoseconds took)
{
    metrics.committed(jobs, took);
    if (tracing::is_on())
        tracing::record("store commit", took,
                        {{"parley.store.changes", static_cast<std::int64_t>(jobs)}});
}

store::sqlite::Options sqlite_options(const Settings& settings, const DataPaths& paths,
                                      metrics::StorageMetrics& metrics)
{
    store::sqlite::Options options = settings.sqlite;
    options.file = paths.database();
    options.on_commit = [&metrics](auto jobs, auto took) { note_commit(metrics, jobs, took); };
    options.on_checkpoint = [&metrics](auto took) { metrics.checkpointed(took); };
#ifdef PARLEY_FAULTS
    if (settings.test_faults) options.vfs = store::faults::vfs_name();
#endif
    return options;
}

// Tells people which machine it is; need not be unique.
std::string name_of_server(const Settings& settings)
{
    if (!settings.cluster_name.empty()) return settings.cluster_name;
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host.front() = '?';
    return std::string(host.data()) + " " + settings.listen;
}

Result<std::unique_ptr<limits::Limiter>> open_shared_limiter(const Settings& settings,
                                                             const ConnectionName& name,
                                                             store::Store& store)
{
    auto options = postgres_options(settings);
    if (!options) return options.error();
    options->name = name;
    auto key = block_on(store.keys().key_for("limits"));
    if (!key) return key.error();
    auto limiter = limits::postgres::PostgresLimiter::open(
        {.database = std::move(*options),
         .limits = settings.limits,
         .hash_key = std::make_shared<const Secret>(std::move(*key))});
    if (!limiter) return limiter.error();
    return std::unique_ptr<limits::Limiter>(std::move(*limiter));
}

// Its lock proves that the last server in this directory is gone.
std::optional<std::int64_t> last_incarnation(const DataPaths& paths)
{
    const auto text = read_private(paths.incarnation());
    std::int64_t number = 0;
    if (!text) return std::nullopt;
    const auto [end, fault] = std::from_chars(text->data(), text->data() + text->size(), number);
    return fault == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<store::Store>> open_store(const Settings& settings, const DataPaths& paths,
                                                 metrics::Metrics& metrics, StoreUser user,
                                                 const ConnectionName& name)
{
    if (!settings.postgres.url.empty()) {
        auto options = postgres_options(settings);
        if (!options) return options.error();
        options->may_migrate = options->is_server = user == StoreUser::server;
        options->name = name;
        options->on_commit = [&storage = metrics.storage()](auto jobs, auto took) {
            note_commit(storage, jobs, took);
        };
        options->on_unknown_outcome = [name] { name->note_unknown_outcome(); };
        return store::open_postgres_store(*options, store::transfer::copy_to_file);
    }
    if (settings.store_kind == "memory") return store::make_memory_store();
    return store::open_sqlite_store(sqlite_options(settings, paths, metrics.storage()));
}

Result<std::unique_ptr<limits::Limiter>> open_limiter(const Settings& settings,
                                                      const DataPaths& paths,
                                                      const ConnectionName& name,
                                                      store::Store& store)
{
    if (!settings.postgres.url.empty()) return open_shared_limiter(settings, name, store);
    auto limiter =
        limits::local::LocalLimiter::open({.file = paths.limits(), .limits = settings.limits});
    if (!limiter) return limiter.error();
    return std::unique_ptr<limits::Limiter>(std::move(*limiter));
}

std::string shared_settings(const Settings& settings)
{
    std::string text;
    for (const Setting& each : all_settings()) {
        if (!each.key.starts_with("limits.") && !each.key.starts_with("automations.") &&
            each.key != "cluster.max_concurrent" && each.key != "runs.max_queued")
            continue;
        text += each.key + "=" + to_toml(each.get(settings)) + "\n";
    }
    return text;
}

Result<std::unique_ptr<cluster::Cluster>> join_cluster(const Settings& settings,
                                                       const DataPaths& paths,
                                                       const ConnectionName& name)
{
    if (settings.postgres.url.empty()) return std::make_unique<cluster::Alone>();
    auto options = postgres_options(settings);
    if (!options) return options.error();
    auto joined =
        cluster::postgres::PostgresCluster::join({.database = std::move(*options),
                                                  .connection_name = name,
                                                  .name = name_of_server(settings),
                                                  .version = version,
                                                  .settings = shared_settings(settings),
                                                  .predecessor = last_incarnation(paths)});
    if (!joined) return joined.error();
    return std::unique_ptr<cluster::Cluster>(std::move(*joined));
}

Result<std::unique_ptr<journal::Journal>> open_journal(const Settings& settings,
                                                       const DataPaths& paths,
                                                       const cluster::Cluster& cluster,
                                                       const ConnectionName& name)
{
    if (!cluster.is_alone()) {
        auto options = postgres_options(settings);
        if (!options) return options.error();
        options->name = name;
        return std::make_unique<journal::postgres::PostgresJournal>(journal::postgres::Options{
            .database = std::move(*options), .me = [&cluster] { return cluster.me(); }});
    }
    auto journal = journal::file::FileJournal::open(paths.journal());
    if (!journal) return journal.error();
    return std::unique_ptr<journal::Journal>(std::move(*journal));
}

}  // namespace parley::app
