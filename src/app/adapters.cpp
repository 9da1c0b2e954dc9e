#include "app/adapters.hpp"

#include "app/store_settings.hpp"
#include "journal/file/file_journal.hpp"
#include "limits/local/local_limiter.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"

#ifdef PARLEY_FAULTS
#include "store/faults/disk.hpp"
#endif

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

}  // namespace

Result<std::unique_ptr<store::Store>> open_store(const Settings& settings, const DataPaths& paths,
                                                 metrics::Metrics& metrics, StoreUser user)
{
    if (!settings.postgres.url.empty()) {
        auto options = postgres_options(settings);
        if (!options) return options.error();
        options->may_migrate = options->is_only_server = user == StoreUser::server;
        options->on_commit = [&storage = metrics.storage()](auto jobs, auto took) {
            storage.committed(jobs, took);
        };
        return store::open_postgres_store(*options);
    }
    if (settings.store_kind == "memory") return store::make_memory_store();
    return store::open_sqlite_store(sqlite_options(settings, paths, metrics.storage()));
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
