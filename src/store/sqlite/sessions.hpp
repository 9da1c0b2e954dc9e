// Chat sessions in SQLite.
#pragma once

#include "store/sessions.hpp"
#include "store/sqlite/readers.hpp"
#include "store/sqlite/writer.hpp"

namespace parley::store::sqlite {

class SqliteSessions final : public Sessions {
public:
    SqliteSessions(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

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
    Writer& writer_;
    Readers& readers_;
};

}  // namespace parley::store::sqlite
