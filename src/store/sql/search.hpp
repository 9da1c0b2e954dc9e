// Search in messages, over the index of the database (search_dialect.hpp).
#pragma once

#include "base/mutex.hpp"
#include "store/search.hpp"
#include "store/sql/index_backlog.hpp"
#include "store/sql/jobs.hpp"
#include "store/sql/settled_positions.hpp"
#include "store/user_turns.hpp"

#include <atomic>

namespace parley::store::sql {

class SqlSearch final : public Search {
public:
    SqlSearch(JobQueue& writes, JobQueue& reads, JobQueue& searches, IndexBacklog& backlog)
        : writes_(writes), reads_(reads), searches_(searches), backlog_(backlog)
    {
    }

    Task<Result<Page<FoundMessage, Position>>> find(Owner owner, search::Query query,
                                                    SearchFilter filter,
                                                    std::optional<Position> after,
                                                    std::size_t limit) override;
    Task<Result<std::size_t>> update_index(std::size_t most) override;
    bool is_done_by_another() const override { return is_done_by_another_; }

private:
    JobQueue& writes_;
    JobQueue& reads_;
    JobQueue& searches_;
    UserTurns turns_;
    IndexBacklog& backlog_;
    SettledPositions settled_;
    // While older messages are indexed, those behind this position are indexed first: a user looks
    // for a message that was just written.
    std::optional<std::int64_t> fresh_from_ = {};
    bool may_begin_index_ = true;  // Only the first step begins an index by other rules.
    std::atomic<bool> is_done_by_another_ = false;
};

}  // namespace parley::store::sql
