// Users; the use cases of one-time codes are in password_codes.cpp, those of second
// factors in second_factors.cpp.
#pragma once

#include "store/accounts.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlAccounts final : public Accounts {
public:
    SqlAccounts(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<AddedUser>> add_user(User user, std::optional<AuditEvent> audit,
                                     std::optional<OwnClaim> key) override;
    Task<Result<std::optional<User>>> find_made_user(OwnClaim key) override;
    Task<Result<>> add_first_operator(User user, std::optional<AuditEvent> audit) override;
    Task<Result<User>> find_user(std::string id) override;
    Task<Result<User>> find_user_by_name(std::string name_key) override;
    Task<Result<User>> find_invited_user(CodeHash code, TimePoint now) override;
    Task<Result<User>> find_user_to_reset(CodeHash code, TimePoint now) override;
    Task<Result<bool>> has_operator() override;
    Task<Result<Page<User, Position>>> list_users(std::optional<Position> before, std::size_t limit,
                                                  std::string part) override;
    Task<Result<User>> change_user(std::string id, UserChange change,
                                   std::vector<AuditEvent> audit) override;
    Task<Result<User>> accept_invitation(CodeHash code, TimePoint now, std::string password_hash,
                                         std::optional<AuditEvent> audit) override;
    Task<Result<User>> reset_password(CodeHash code, TimePoint now, std::string password_hash,
                                      std::optional<SecondFactorUse> second_factor,
                                      std::optional<AuditEvent> audit) override;
    Task<Result<std::int64_t>> count_recovery_codes(std::string id) override;
    Task<Result<std::optional<SecondFactorUse>>> try_code(std::string id, CodeHash recovery_code,
                                                          JudgeCode judge, TimePoint now,
                                                          AuditEvent refused) override;
    Task<Result<>> replace_hash(std::string id, std::string old_hash,
                                std::string new_hash) override;
    Task<Result<>> remove_user(std::string id, std::optional<AuditEvent> audit) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

// In the transaction of a use case that adds a user. Fails with conflict if the name is taken.
Result<> insert_user(Connection& connection, const User& user);

}  // namespace parley::store::sql
