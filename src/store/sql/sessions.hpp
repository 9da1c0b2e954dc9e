// Chat sessions.
#pragma once

#include "store/sessions.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlSessions final : public Sessions {
public:
    SqlSessions(JobQueue& writes, JobQueue& reads, JobQueue& long_reads)
        : writes_(writes), reads_(reads), long_reads_(long_reads)
    {
    }

    Task<Result<Created>> create_session(Session session, std::optional<KeyClaim> key,
                                         Cause cause) override;
    Task<Result<Session>> find_session(Owner owner, std::string id) override;
    Task<Result<Page<Session, Position>>> list_sessions(Owner owner, SessionFilter filter,
                                                        std::optional<Position> after,
                                                        std::size_t limit) override;
    Task<Result<Session>> change_session(Owner owner, std::string id, SessionChange change,
                                         std::optional<std::int64_t> expected) override;
    Task<Result<>> remove_session(Owner owner, std::string id, SessionRemoval removal) override;
    Task<Result<std::vector<IdleSession>>> idle_sessions(TimePoint now,
                                                         std::optional<std::int64_t> max_days,
                                                         std::size_t most) override;

private:
    Task<> delete_rests(TimePoint before);

    JobQueue& writes_;
    JobQueue& reads_;
    JobQueue& long_reads_;
};

}  // namespace parley::store::sql
