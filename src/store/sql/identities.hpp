// Identities of users at an OpenID provider.
#pragma once

#include "store/identities.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlIdentities final : public Identities {
public:
    SqlIdentities(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<User>> find_user(Identity identity) override;
    Task<Result<>> add_user(User user, Identity identity, std::optional<AuditEvent> audit) override;
    Task<Result<>> use_attempt(CodeHash attempt, TimePoint expires_at, TimePoint now) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

}  // namespace parley::store::sql
