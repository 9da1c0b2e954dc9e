// Chooses the adapters of a server by the settings: the one place that knows all of them, except
// the engines (models/models.hpp).
#pragma once

#include "app/data_directory.hpp"
#include "app/settings.hpp"
#include "cluster/cluster.hpp"
#include "journal/journal.hpp"
#include "limits/limits.hpp"
#include "metrics/metrics.hpp"
#include "store/postgres/connection_name.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace parley::app {

// Who opens a store. A command changes no schema of a PostgreSQL database, which servers may use.
enum class StoreUser { server, command };

// The name of the connections to PostgreSQL, which the cluster sets.
using ConnectionName = std::shared_ptr<store::postgres::ConnectionName>;

// Fails with a message for the operator.
Result<std::unique_ptr<store::Store>> open_store(const Settings& settings, const DataPaths& paths,
                                                 metrics::Metrics& metrics, StoreUser user,
                                                 const ConnectionName& name);

// Settings that should be the same on all servers that share a database: a line for each.
std::string shared_settings(const Settings& settings);

// Connections of a server with store.url to PostgreSQL, besides store.connections: health and its
// trial, pulse, journal (two), limits, long reads and searches.
inline constexpr std::size_t connections_beside_the_store = 8;

// Joins the servers that share the store, which must be open, as the successor of the last server
// in this data directory. Fails with a message for the operator.
Result<std::unique_ptr<cluster::Cluster>> join_cluster(const Settings& settings,
                                                       const DataPaths& paths,
                                                       const ConnectionName& name);

// The limiter of this server, or of all servers that share the store. Fails with a message for the
// operator.
Result<std::unique_ptr<limits::Limiter>> open_limiter(const Settings& settings,
                                                      const DataPaths& paths,
                                                      const ConnectionName& name,
                                                      store::Store& store);

// Fails with a message for the operator.
Result<std::unique_ptr<journal::Journal>> open_journal(const Settings& settings,
                                                       const DataPaths& paths,
                                                       const cluster::Cluster& cluster,
                                                       const ConnectionName& name);

}  // namespace parley::app
