// Chooses the adapters of a server by the settings: the one place that knows all of them, except
// the engines (models/models.hpp).
#pragma once

#include "app/data_directory.hpp"
#include "app/settings.hpp"
#include "journal/journal.hpp"
#include "limits/limits.hpp"
#include "metrics/metrics.hpp"
#include "store/store.hpp"

#include <memory>

namespace parley::app {

// Who opens a store. A command changes no schema of a PostgreSQL database, which servers may use; a
// server must be the only one.
enum class StoreUser { server, command };

// Fails with a message for the operator.
Result<std::unique_ptr<store::Store>> open_store(const Settings& settings, const DataPaths& paths,
                                                 metrics::Metrics& metrics, StoreUser user);

Result<std::unique_ptr<limits::Limiter>> open_limiter(const Settings& settings,
                                                      const DataPaths& paths);

// Fails with a message for the operator.
Result<std::unique_ptr<journal::Journal>> open_journal(const DataPaths& paths);

}  // namespace parley::app
