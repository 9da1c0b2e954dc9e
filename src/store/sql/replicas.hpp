// Runs of several servers on one database: a write of a server happens only while the server is not
// fenced (cluster/cluster.hpp). Without effect for replica 0, the only server: its database has no
// tables of replicas.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store::sql {

// The server cannot be fenced between the construction of this and the end of the transaction. To
// be made first, before other locks. Other queries may be asked before held(), but nothing may be
// changed: so that they cost one round trip together.
class Lease {
public:
    Lease(Connection& connection, std::int64_t replica);

    // Fails with lost_ownership. To be called once.
    Result<> held();

private:
    std::optional<Query> select_;
};

inline Result<> hold_lease(Connection& connection, std::int64_t replica)
{
    return Lease(connection, replica).held();
}

// Whether the run belongs to the server, which must hold its lease. Fails with lost_ownership.
Result<> require_ownership(Connection& connection, const std::string& run, std::int64_t replica);

Error lost_ownership();

// Removes the events of a run that has ended from the journal of the servers.
void forget_journal(Connection& connection, std::int64_t run, std::int64_t replica);

Result<std::vector<RunWithMessages>> claim_runs(Connection& connection, std::int64_t replica,
                                                std::size_t servers);
Result<> ask_to_cancel(Connection& connection, const std::string& run);

}  // namespace parley::store::sql
