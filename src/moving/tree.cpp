#include "moving/tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <unordered_set>

namespace parley::moving {
namespace {

using Index = std::size_t;

class TreeBuilder {
public:
    TreeBuilder(Conversation& conversation, std::vector<Node> nodes)
        : conversation_(conversation), nodes_(std::move(nodes)), places_(nodes_.size())
    {
        find_children();
    }

    void build()
    {
        // In the order of the source, as far as parents come first.
        std::priority_queue<Index, std::vector<Index>, std::greater<>> waiting(std::greater<>(),
                                                                               roots_);
        while (!waiting.empty()) {
            const Index next = waiting.top();
            waiting.pop();
            place(next);
            for (const Index below : children_[next]) waiting.push(below);
        }
        for (Index i = 0; i < nodes_.size(); ++i)
            if (!places_[i].is_read) skip(nodes_[i], "its parents form a cycle");
    }

    // The message that a node has become, or the one above it.
    std::optional<Index> message_of(const std::string& id) const
    {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? std::nullopt : places_[found->second].message;
    }

    // A message of the other role, which a model is not shown.
    Index add_empty_below(Index above)
    {
        auto& messages = conversation_.messages;
        const Speaker speaker = messages[above].speaker;
        messages.push_back(
            {.parent = above,
             .speaker = speaker == Speaker::user ? Speaker::assistant : Speaker::user,
             .parts = {""},
             .created_at = messages[above].created_at});
        return messages.size() - 1;
    }

private:
    struct Place {
        bool is_read = false;
        std::optional<Index> message = {};  // In the conversation.
    };

    void skip(const Node& node, std::string reason)
    {
        conversation_.skipped.push_back({node.id, std::move(reason)});
    }

    void find_children()
    {
        children_.resize(nodes_.size());
        parents_.resize(nodes_.size());
        for (Index i = 0; i < nodes_.size(); ++i)
            if (!by_id_.emplace(nodes_[i].id, i).second) {
                skip(nodes_[i], "its id is not unique");
                places_[i].is_read = true;
            }
        for (Index i = 0; i < nodes_.size(); ++i) {
            if (places_[i].is_read) continue;
            const auto& parent = nodes_[i].parent;
            const auto found = parent ? by_id_.find(*parent) : by_id_.end();
            if (found == by_id_.end()) {
                roots_.push_back(i);
            } else {
                parents_[i] = found->second;
                children_[found->second].push_back(i);
            }
        }
    }

    // Whether this node alone follows on the message above it.
    bool is_alone(Index node) const
    {
        const auto parent = parents_[node];
        return parent && children_[*parent].size() == 1;
    }

    void place(Index index)
    {
        Node& node = nodes_[index];
        Place& place = places_[index];
        place.is_read = true;
        const auto parent = parents_[index];
        std::optional<Index> above;
        if (parent) above = places_[*parent].message;
        // Branches below a node that was left out are branches of the message above it.
        if (above && !is_alone(index)) branches_.insert(*above);
        if (!node.reason.empty()) {
            skip(node, std::move(node.reason));
            place.message = above;
            return;
        }
        ++conversation_.imported;
        if (node.lacks_attachments) skip(node, "its images and files are not imported");
        auto& messages = conversation_.messages;
        if (!above || messages[*above].speaker != node.message.speaker) {
            node.message.parent = above;
        } else if (!branches_.contains(*above)) {
            join(messages[*above], node.message);
            place.message = above;
            return;
        } else {
            // Others follow on the message above as it is.
            node.message.parent = add_empty_below(*above);
        }
        place.message = messages.size();
        messages.push_back(std::move(node.message));
    }

    static void join(ReadMessage& message, ReadMessage& next)
    {
        for (std::string& part : next.parts) message.parts.push_back(std::move(part));
        message.created_at = std::max(message.created_at, next.created_at);
        message.stop_reason = next.stop_reason;
        message.structured = false;  // Two texts are no JSON.
        if (next.model) message.model = std::move(next.model);
    }

    Conversation& conversation_;
    std::vector<Node> nodes_;
    std::vector<Place> places_;
    std::vector<std::vector<Index>> children_;
    std::vector<std::optional<Index>> parents_;
    std::vector<Index> roots_;
    std::map<std::string, Index> by_id_;  // Ordered: the sender chooses the ids.
    std::unordered_set<Index> branches_;  // Messages on which several nodes follow.
};

}  // namespace

Node begin_node(std::string_view id, TimePoint created_at)
{
    Node node{.id = std::string(id)};
    node.message.source_id = node.id;
    node.message.created_at = created_at;
    return node;
}

void add_missing_attachment(Node& node)
{
    node.message.parts.emplace_back("[attachment not imported]");
    node.lacks_attachments = true;
}

void add_nodes(Conversation& conversation, std::vector<Node> nodes,
               const std::optional<std::string>& current)
{
    TreeBuilder builder(conversation, std::move(nodes));
    builder.build();
    if (conversation.messages.empty()) return;
    if (current) conversation.newest = builder.message_of(*current);
    if (!conversation.newest) conversation.newest = conversation.messages.size() - 1;
    // The next question follows on an answer.
    if (conversation.messages[*conversation.newest].speaker == Speaker::user)
        conversation.newest = builder.add_empty_below(*conversation.newest);
}

}  // namespace parley::moving
