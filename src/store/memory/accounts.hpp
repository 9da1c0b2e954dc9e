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

    Task<Result<>> add_user(User user, std::optional<AuditEvent> audit) override;
    Task<Result<>> add_first_operator(User user, std::optional<AuditEvent> audit) override;
    Task<Result<User>> find_user(std::string id) override;
    Task<Result<User>> find_user_by_name(std::string name_key) override;
    Task<Result<bool>> has_operator() override;
    Task<Result<Page<User, Position>>> list_users(std::optional<Position> before,
                                                  std::size_t limit) override;
    Task<Result<User>> change_user(std::string id, UserChange change,
                                   std::optional<AuditEvent> audit) override;
    Task<Result<>> replace_hash(std::string id, std::string old_hash,
                                std::string new_hash) override;
    Task<Result<>> remove_user(std::string id, std::optional<AuditEvent> audit) override;

private:
    People& people_;
    Chats& chats_;
    MemoryAudit& audit_;
};

}  // namespace parley::store
