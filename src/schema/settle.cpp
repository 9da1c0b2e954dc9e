#include "schema/settle.hpp"

#include <deque>

namespace parley::schema {
namespace {

// For each node, those that refer to it.
std::vector<std::vector<NodeIndex>> users_of(const std::vector<Node>& nodes)
{
    std::vector<std::vector<NodeIndex>> users(nodes.size());
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        if (nodes[i].items) users[*nodes[i].items].push_back(i);
        for (const Property& each : nodes[i].properties) users[each.node].push_back(i);
        for (const NodeIndex each : nodes[i].branches) users[each].push_back(i);
    }
    return users;
}

}  // namespace

void until_settled(const std::vector<Node>& nodes, const std::function<bool(NodeIndex)>& update)
{
    const auto users = users_of(nodes);
    std::vector<bool> waits(nodes.size(), true);
    std::deque<NodeIndex> waiting;
    // The last ones first: most nodes refer to later ones.
    for (NodeIndex i = nodes.size(); i-- > 0;) waiting.push_back(i);
    while (!waiting.empty()) {
        const NodeIndex index = waiting.front();
        waiting.pop_front();
        waits[index] = false;
        if (!update(index)) continue;
        for (const NodeIndex user : users[index]) {
            if (waits[user]) continue;
            waits[user] = true;
            waiting.push_back(user);
        }
    }
}

}  // namespace parley::schema
