// The messages of a session: a tree that is only ever added to. A message has one parent, and a
// place in the branch that leads to it, so that any page of a branch costs the same, however long
// the branch is.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "domain/image.hpp"
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
    std::optional<std::string> parent = {};  // Nothing for a root.
    std::int64_t depth = 0;                  // Number of messages above it; set by the store.
    Speaker speaker = Speaker::user;
    std::vector<std::string> parts = {};  // Texts, unchanged, including U+0000.
    std::vector<ImageRef> images = {};    // Only questions have them, in order.
    TimePoint created_at = {};
    Metadata metadata = {};
    // Only answers have these:
    std::optional<StopReason> stop_reason = {};
    std::optional<std::string> model = {};
    std::optional<std::string> run = {};
    bool structured = false;  // In a format: JSON, if it has ended. A question: has results.

    bool operator==(const Message&) const = default;
};

// A message with the ids of all messages of the same parent (or, for a root, all roots of its
// session), itself included, oldest first.
struct PlacedMessage {
    Message message;
    std::vector<std::string> siblings;
};

// An image with its bytes. It belongs to the messages of one owner: deleted with the last one that
// has it.
struct Image {
    std::string sha256 = {};  // The hash of the bytes, in hexadecimal.
    std::string media_type = {};
    std::string bytes = {};

    bool operator==(const Image&) const = default;
};

class Messages {
public:
    virtual ~Messages() = default;

    // Fails with not_found, also if it belongs to another user.
    virtual Task<Result<PlacedMessage>> find_message(Owner owner, std::string id) = 0;

    // One branch: the messages from the root down to `leaf`, or backwards. After the depth `after`,
    // if given (a position is a depth). Without a leaf: down to the newest message of the session;
    // an empty page if there is none. Fails with not_found if the session does not exist or does
    // not contain the leaf.
    using Position = std::int64_t;
    struct BranchPage {
        Page<PlacedMessage, Position> page;
        std::optional<std::string> leaf;  // The leaf in use.
    };
    virtual Task<Result<BranchPage>> list_branch(Owner owner, std::string session,
                                                 std::optional<std::string> leaf, bool ascending,
                                                 std::optional<Position> after,
                                                 std::size_t limit) = 0;

    // The same backwards from a leaf, and without sibling ids, which cost a query for each message.
    virtual Task<Result<BranchPage>> list_ancestors(Owner owner, std::string session,
                                                    std::optional<std::string> leaf,
                                                    std::optional<Position> after,
                                                    std::size_t limit) = 0;

    // The newest message below a message; itself, if there is none. Of thousands of branches below
    // it, only the newest are looked at. Fails with not_found if the session does not exist or does
    // not contain the message.
    virtual Task<Result<std::string>> newest_below(Owner owner, std::string session,
                                                   std::string message) = 0;

    // An image of the owner's messages, by its hash. Fails with not_found.
    virtual Task<Result<Image>> find_image(Owner owner, std::string sha256) = 0;
    // The number of its bytes.
    virtual Task<Result<std::size_t>> image_size(Owner owner, std::string sha256) = 0;
};

}  // namespace parley::store
