// Chat sessions in memory.
#pragma once

#include "store/memory/chats.hpp"
#include "store/memory/people.hpp"
#include "store/sessions.hpp"

namespace parley::store {

class MemorySessions final : public Sessions {
public:
    MemorySessions(People& people, Chats& chats) : people_(people), chats_(chats) {}

    Task<Result<Created>> create_session(Session session, std::optional<KeyClaim> key) override;
    Task<Result<Session>> find_session(Owner owner, std::string id) override;
    Task<Result<Page<Session, Position>>> list_sessions(Owner owner, SessionFilter filter,
                                                        std::optional<Position> after,
                                                        std::size_t limit) override;
    Task<Result<Session>> change_session(Owner owner, std::string id, SessionChange change,
                                         std::optional<std::int64_t> expected) override;
    Task<Result<>> remove_session(Owner owner, std::string id,
                                  std::optional<std::int64_t> expected) override;

private:
    People& people_;
    Chats& chats_;
};

}  // namespace parley::store
