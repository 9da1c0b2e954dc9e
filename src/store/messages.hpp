// The messages of a session: a tree that is only ever added to. A message has one parent, and a
// place in the branch that leads to it, so that any page of a branch costs the same, however long
// the branch is.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "store/page.hpp"
#include "store/sessions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

struct Message {
    std::string id = {};  // msg_…
    std::string session = {};
    std::optional<std::string> parent = {};  // Nothing for a beginning.
    std::int64_t depth = 0;                  // Messages above it; the store's own to set.
    Speaker speaker = Speaker::user;
    std::vector<std::string> parts = {};  // Texts, byte for byte as they came, U+0000 and all.
    TimePoint created_at = {};
    Metadata metadata = {};
    // Of answers alone:
    std::optional<StopReason> stop_reason = {};
    std::optional<std::string> model = {};
    std::optional<std::string> run = {};

    bool operator==(const Message&) const = default;
};

// With all messages of the same parent (or, for a beginning, all beginnings of its session), itself
// included, in the order in which they were stored.
struct PlacedMessage {
    Message message;
    std::vector<std::string> siblings;
};

class Messages {
public:
    virtual ~Messages() = default;

    // Fails with not_found, also where it belongs to somebody else.
    virtual Task<Result<PlacedMessage>> find_message(Owner owner, std::string id) = 0;

    // One branch: the messages from the beginning down to `leaf`, or backwards. Behind the depth
    // `after`, where that is given (a position is a depth). Without a leaf: down to the newest
    // message of the session; an empty page where there is none. Fails with not_found where the
    // session or the leaf in it is not there.
    using Position = std::int64_t;
    struct BranchPage {
        Page<PlacedMessage, Position> page;
        std::optional<std::string> leaf;  // The one that was meant.
    };
    virtual Task<Result<BranchPage>> list_branch(Owner owner, std::string session,
                                                 std::optional<std::string> leaf, bool ascending,
                                                 std::optional<Position> after,
                                                 std::size_t limit) = 0;
};

}  // namespace parley::store
