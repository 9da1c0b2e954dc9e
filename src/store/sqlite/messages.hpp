// Messages of chats in SQLite.
#pragma once

#include "store/messages.hpp"
#include "store/sqlite/readers.hpp"

namespace parley::store::sqlite {

class SqliteMessages final : public Messages {
public:
    explicit SqliteMessages(Readers& readers) : readers_(readers) {}

    Task<Result<PlacedMessage>> find_message(Owner owner, std::string id) override;
    Task<Result<BranchPage>> list_branch(Owner owner, std::string session,
                                         std::optional<std::string> leaf, bool ascending,
                                         std::optional<Position> after, std::size_t limit) override;

private:
    Readers& readers_;
};

}  // namespace parley::store::sqlite
