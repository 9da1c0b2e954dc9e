// Tokens and logins; the use cases of logins are in logins.cpp.
#pragma once

#include "store/sql/jobs.hpp"
#include "store/tokens.hpp"

namespace parley::store::sql {

class SqlTokens final : public Tokens {
public:
    SqlTokens(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<AddedToken>> add_token(Token token, std::optional<AuditEvent> audit,
                                       std::optional<OwnClaim> key) override;
    Task<Result<std::optional<Token>>> find_made_token(OwnClaim key) override;
    Task<Result<TokenOwner>> find_token(TokenHash hash) override;
    Task<Result<>> begin_login(Login login, Token access, Token refresh, LoginCheck check,
                               std::optional<AuditEvent> audit) override;
    Task<Result<Refreshed>> refresh_login(Refresh refresh) override;
    Task<Result<>> end_login(std::string login, std::optional<AuditEvent> audit) override;
    Task<Result<Page<Token, Position>>> list_tokens(std::string user, TimePoint now,
                                                    std::optional<Position> before,
                                                    std::size_t limit) override;
    Task<Result<Token>> find_listed_token(std::string user, std::string id, TimePoint now) override;
    Task<Result<Token>> change_token(std::string user, std::string id, TokenChange change,
                                     TimePoint now, std::vector<AuditEvent> audit) override;
    Task<Result<std::vector<Token>>> list_client_tokens() override;
    Task<Result<>> revoke(std::string user, std::string id,
                          std::optional<AuditEvent> audit) override;
    Task<Result<>> note_uses(std::vector<Use> uses) override;
    Task<Result<std::size_t>> sweep(TimePoint now, std::size_t most) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

}  // namespace parley::store::sql
