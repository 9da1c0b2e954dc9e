// Import and export of conversations.
#pragma once

#include "store/moving.hpp"
#include "store/sql/index_backlog.hpp"
#include "store/sql/jobs.hpp"
#include "store/user_turns.hpp"

#include <atomic>
#include <chrono>

namespace parley::store::sql {

class SqlMoving final : public Moving {
public:
    SqlMoving(JobQueue& writes, JobQueue& long_reads, IndexBacklog& backlog)
        : writes_(writes), long_reads_(long_reads), backlog_(backlog)
    {
    }

    Task<Result<StoredImport>> import_session(NewImport import) override;
    Task<Result<>> export_data(Owner owner, std::optional<std::string> session,
                               std::shared_ptr<ExportSink> sink) override;
    void end_by(SteadyPoint end) override { end_ = end.time_since_epoch().count(); }

private:
    Task<Result<StoredImport>> store_import(const NewImport& import);
    Task<Result<StoredImport>> wait_for_other(const NewImport& import, Error conflict);
    Task<> wait_for_index();
    Task<Error> give_up(std::int64_t session);
    bool is_ending() const { return end_ != never; }
    bool is_over() const
    {
        return std::chrono::steady_clock::now().time_since_epoch().count() >= end_;
    }

    static constexpr SteadyPoint::rep never = SteadyPoint::max().time_since_epoch().count();

    JobQueue& writes_;
    JobQueue& long_reads_;
    IndexBacklog& backlog_;
    std::atomic<SteadyPoint::rep> end_ = never;
    UserTurns turns_;  // One import of a conversation at a time; the same one waits for it.
};

}  // namespace parley::store::sql
