// Users in memory.
#pragma once

#include "store/accounts.hpp"
#include "store/memory/audit.hpp"
#include "store/memory/chats.hpp"
#include "store/memory/people.hpp"

namespace parley::store {

class MemoryAccounts final : public Accounts {
public:
    MemoryAccounts(People& people, Chats& chats, MemoryAudit& audit)
        : people_(people), chats_(chats), audit_(audit)
    {
    }

    Task<Result<AddedUser>> add_user(User user, std::optional<AuditEvent> audit,
                                     std::optional<OwnClaim> key) override;
    Task<Result<std::optional<User>>> find_made_user(OwnClaim key) override;
    Task<Result<>> add_first_operator(User user, std::optional<AuditEvent> audit) override;
    Task<Result<User>> find_user(std::string id) override;
    Task<Result<User>> find_user_by_name(std::string name_key) override;
    Task<Result<User>> find_invited_user(CodeHash code, TimePoint now) override;
    Task<Result<bool>> has_operator() override;
    Task<Result<Page<User, Position>>> list_users(std::optional<Position> before, std::size_t limit,
                                                  std::string part) override;
    Task<Result<User>> change_user(std::string id, UserChange change,
                                   std::vector<AuditEvent> audit) override;
    Task<Result<User>> accept_invitation(CodeHash code, TimePoint now, std::string password_hash,
                                         std::optional<AuditEvent> audit) override;
    Task<Result<>> replace_hash(std::string id, std::string old_hash,
                                std::string new_hash) override;
    Task<Result<>> remove_user(std::string id, std::optional<AuditEvent> audit) override;

private:
    // Each is called by one who holds the mutexes that it needs.
    Result<std::optional<User>> made(const OwnClaim& key);
    Result<User> change(const std::string& id, const UserChange& change);

    People& people_;
    Chats& chats_;
    MemoryAudit& audit_;
};

}  // namespace parley::store
