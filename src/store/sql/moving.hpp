// Import and export of conversations.
#pragma once

#include "store/moving.hpp"
#include "store/sql/index_backlog.hpp"
#include "store/sql/jobs.hpp"
#include "store/sql/user_turns.hpp"

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

private:
    Task<Result<StoredImport>> store_import(const NewImport& import);
    Task<Result<StoredImport>> wait_for_other(const NewImport& import, Error conflict);
    Task<> wait_for_index();

    JobQueue& writes_;
    JobQueue& long_reads_;
    IndexBacklog& backlog_;
    UserTurns turns_;  // One import of a conversation at a time; the same one waits for it.
};

}  // namespace parley::store::sql
