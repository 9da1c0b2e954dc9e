// Properties of nodes that depend on those of other nodes.
#pragma once

#include "schema/schema.hpp"

#include <functional>

namespace parley::schema {

// Calls `update` for each node, and again for the nodes that refer to one for which it returned
// true, until there is none. So a long chain of references takes as many calls as it has links,
// whatever their order.
void until_settled(const std::vector<Node>& nodes, const std::function<bool(NodeIndex)>& update);

}  // namespace parley::schema
