// Messages of chats in memory.
#pragma once

#include "store/memory/chats.hpp"
#include "store/messages.hpp"

namespace parley::store {

class MemoryMessages final : public Messages {
public:
    explicit MemoryMessages(Chats& chats) : chats_(chats) {}

    Task<Result<PlacedMessage>> find_message(Owner owner, std::string id) override;
    Task<Result<BranchPage>> list_branch(Owner owner, std::string session,
                                         std::optional<std::string> leaf, bool ascending,
                                         std::optional<Position> after, std::size_t limit) override;

private:
    Chats& chats_;
};

}  // namespace parley::store
