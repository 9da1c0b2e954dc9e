// The audit log.
#pragma once

#include "store/audit.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlAudit final : public AuditLog {
public:
    SqlAudit(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<>> append(AuditEvent event) override;
    Task<Result<AuditEvent>> find(std::string id) override;
    Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before, std::size_t limit,
                                                  AuditFilter filter) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

// Stores events in the transaction of the use case that they report.
Result<> note(Connection& connection, const std::optional<AuditEvent>& event);
Result<> note(Connection& connection, const std::vector<AuditEvent>& events);

// Fails with invalid_token as audit.hpp says. No transaction can end the token until this one ends.
Result<> check_caller(Connection& connection, const std::optional<AuditEvent>& event);
Result<> check_caller(Connection& connection, const std::vector<AuditEvent>& events);

// Runs `work` and stores its audit events, all or nothing. A replay is not recorded again. The
// caller is checked first: its locks come before those of the work.
template <class Events, class Work>
auto audited(Events events, Work work)
{
    return [events = std::move(events), work = std::move(work)](Connection& connection) {
        using Done = decltype(work(connection));
        if (auto checked = check_caller(connection, events); !checked) return Done(checked.error());
        Done done = work(connection);
        if (!done) return done;
        if constexpr (requires { done->replayed; })
            if (done->replayed) return done;
        if (auto noted = note(connection, events); !noted) done = noted.error();
        return done;
    };
}

}  // namespace parley::store::sql
