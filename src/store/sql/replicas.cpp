#include "store/sql/replicas.hpp"

#include "store/sql/people.hpp"
#include "store/sql/run_rows.hpp"

#include <algorithm>

// A queued run waits for its turn, which any server may take (turns.hpp), unless it is cancelled.
#define IS_ORPHAN                                                        \
    " runs.completed_ms IS NULL AND (runs.status = 'running'"            \
    " OR runs.cancel_asked = 1) AND (runs.replica IS NULL OR NOT EXISTS" \
    " (SELECT 1 FROM replicas WHERE replicas.incarnation = runs.replica" \
    " AND NOT replicas.fenced))"

namespace parley::store::sql {
namespace {

std::vector<std::string> orphans(Connection& connection, std::size_t servers)
{
    Query count = connection.query("SELECT count(*) FROM runs WHERE" IS_ORPHAN);
    count.next();
    const auto all = static_cast<std::size_t>(count.only<std::int64_t>());
    const std::size_t share = (all + servers - 1) / servers;
    Query select = connection.query("SELECT runs.id FROM runs WHERE" IS_ORPHAN
                                    " ORDER BY runs.position LIMIT ?1");
    return select.bind(at_most(share)).texts();
}

}  // namespace

Error lost_ownership()
{
    return {Errc::lost_ownership, "Another server has taken over the runs of this one."};
}

Lease::Lease(Connection& connection, std::int64_t replica)
{
    if (replica == 0) return;
    // Lock::replica. The locked row itself is read: an earlier version of it may not be fenced yet.
    select_.emplace(connection.query(
        "SELECT 1 FROM replicas WHERE incarnation = ?1 AND NOT fenced FOR KEY SHARE"));
    select_->bind(replica).ask();
}

Result<> Lease::held()
{
    if (select_ && !select_->next()) return lost_ownership();
    return {};
}

Result<> require_ownership(Connection& connection, const std::string& run, std::int64_t replica)
{
    if (replica == 0) return {};
    Query select = connection.query("SELECT 1 FROM runs WHERE id = ?1 AND replica = ?2");
    if (!select.bind(run, replica).next()) return lost_ownership();
    return {};
}

void forget_journal(Connection& connection, std::int64_t run, std::int64_t replica)
{
    if (replica == 0) return;
    connection.query("DELETE FROM run_events WHERE run = ?1").bind(run).send();
}

Result<std::vector<RunWithMessages>> claim_runs(Connection& connection, std::int64_t replica,
                                                std::size_t servers)
{
    if (auto leased = hold_lease(connection, replica); !leased) return leased.error();
    connection.lock(Lock::claims, {});
    std::vector<RunWithMessages> claimed;
    for (const std::string& id : orphans(connection, std::max<std::size_t>(servers, 1))) {
        Query update = connection.query(
            "UPDATE runs SET replica = ?2, epoch = epoch + 1"
            " WHERE id = ?1 AND completed_ms IS NULL");
        // Its session may have been deleted meanwhile.
        if (update.bind(id, replica).run() == 0) continue;
        if (auto found = find_run(connection, id))
            claimed.push_back(whole(connection, std::move(*found)));
    }
    return claimed;
}

Result<> ask_to_cancel(Connection& connection, const std::string& run)
{
    connection.query("UPDATE runs SET cancel_asked = 1 WHERE id = ?1 AND completed_ms IS NULL")
        .bind(run)
        .run();
    return {};
}

}  // namespace parley::store::sql
