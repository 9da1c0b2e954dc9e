// Import and export of conversations.
#pragma once

#include "store/moving.hpp"
#include "store/sql/index_backlog.hpp"
#include "store/sql/jobs.hpp"

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
    Task<> wait_for_index();

    JobQueue& writes_;
    JobQueue& long_reads_;
    IndexBacklog& backlog_;
};

}  // namespace parley::store::sql
