// Makes a conversation of the nodes of another program, whose messages may be of any role: a node
// that is left out is replaced by the node above it, and neighbours of one role are joined, so that
// questions and answers alternate. If several messages follow on one of the same role, an empty
// message is put between them: joined texts would be repeated for each of them.
#pragma once

#include "moving/conversation.hpp"

namespace parley::moving {

struct Node {
    std::string id = {};
    std::optional<std::string> parent = {};  // Its id.
    ReadMessage message = {};                // Without its parent.
    std::string reason = {};                 // Why it is left out; empty: it is not.
    bool lacks_attachments = false;
};

// A node without content.
Node begin_node(std::string_view id, TimePoint created_at);

// Adds the text that stands for an image or another file, which is left out.
void add_missing_attachment(Node& node);

// Adds the messages of the nodes to a conversation: messages, newest, imported and skipped. A node
// whose parent does not exist is a beginning; nodes in a cycle, and a second one with the same id,
// are left out. `current`: the id of the node that was last in use.
void add_nodes(Conversation& conversation, std::vector<Node> nodes,
               const std::optional<std::string>& current);

}  // namespace parley::moving
