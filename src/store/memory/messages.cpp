#include "store/memory/messages.hpp"

#include <algorithm>

namespace parley::store {
namespace {

PlacedMessage placed(const Chats& chats, const Message& message)
{
    return {message, chats.siblings(message)};
}

const Message* parent_of(const Chats& chats, const Message& message)
{
    return message.parent ? chats.find_message(*message.parent) : nullptr;
}

// The messages from a leaf up to its beginning, or the other way round.
std::vector<const Message*> branch_to(const Chats& chats, const Message& leaf, bool ascending)
{
    std::vector<const Message*> branch;
    for (const Message* each = &leaf; each; each = parent_of(chats, *each)) branch.push_back(each);
    if (ascending) std::ranges::reverse(branch);
    return branch;
}

}  // namespace

Task<Result<PlacedMessage>> MemoryMessages::find_message(Owner owner, std::string id)
{
    const std::lock_guard lock(chats_.mutex);
    const Message* found = chats_.find_message(owner, id);
    if (!found) co_return not_found("The message");
    co_return placed(chats_, *found);
}

Task<Result<Messages::BranchPage>> MemoryMessages::list_branch(Owner owner, std::string session,
                                                               std::optional<std::string> leaf,
                                                               bool ascending,
                                                               std::optional<Position> after,
                                                               std::size_t limit)
{
    const std::lock_guard lock(chats_.mutex);
    const Session* found = chats_.find_session(owner, session);
    if (!found) co_return not_found("The session");
    if (!leaf) leaf = found->newest_message;
    if (!leaf) co_return BranchPage{};
    const Message* end = chats_.find_message(*leaf);
    if (!end || end->session != session) co_return not_found("The message");

    BranchPage result{.page = {}, .leaf = leaf};
    auto& [items, next] = result.page;
    PageRoom room;
    for (const Message* each : branch_to(chats_, *end, ascending)) {
        if (after && (ascending ? each->depth <= *after : each->depth >= *after)) continue;
        PlacedMessage item = placed(chats_, *each);
        if (items.size() == limit || !room.takes(page_bytes(item))) {
            if (!items.empty()) next = items.back().message.depth;
            break;
        }
        items.push_back(std::move(item));
    }
    co_return result;
}

}  // namespace parley::store
