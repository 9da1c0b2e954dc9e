#include "schema/prune.hpp"

#include "schema/limits.hpp"
#include "schema/settle.hpp"

#include <algorithm>

namespace parley::schema {
namespace {

// Finds the nodes that have a finite value, from the leaves upwards.
class Ending {
public:
    explicit Ending(const std::vector<Node>& nodes) : ends_(nodes.size())
    {
        until_settled(nodes, [&](NodeIndex index) {
            if (ends_[index] || !ends_now(nodes[index])) return false;
            ends_[index] = true;
            return true;
        });
    }

    bool operator()(NodeIndex index) const { return ends_[index]; }

private:
    bool ends_now(const Node& node) const
    {
        if (node.most && *node.most < node.least) return false;
        switch (node.kind) {
            case Kind::integer:
                return !written_integers(node.minimum, node.maximum).is_empty();
            case Kind::array:
                return node.least == 0 || !node.items || ends_[*node.items];
            case Kind::object:
                return std::ranges::all_of(node.properties, [&](const Property& each) {
                    return !each.required || ends_[each.node];
                });
            case Kind::literals:
                return !node.literals.empty();
            case Kind::any_of:
                return std::ranges::any_of(node.branches,
                                           [&](NodeIndex each) { return ends_[each]; });
            default:
                return true;
        }
    }

    std::vector<bool> ends_;
};

enum class Seen : char { no, above, done };

bool returns(const Schema& schema, NodeIndex index, std::vector<Seen>& seen)
{
    if (seen[index] != Seen::no) return seen[index] == Seen::above;
    seen[index] = Seen::above;
    const auto& branches = schema.nodes[index].branches;
    const bool found = std::ranges::any_of(
        branches, [&](NodeIndex branch) { return returns(schema, branch, seen); });
    seen[index] = Seen::done;
    return found;
}

}  // namespace

bool prune(Schema& schema)
{
    const Ending ends(schema.nodes);
    for (Node& node : schema.nodes) {
        std::erase_if(node.properties,
                      [&](const Property& each) { return !each.required && !ends(each.node); });
        std::erase_if(node.branches, [&](NodeIndex each) { return !ends(each); });
        if (node.items && !ends(*node.items)) node.most = 0;
    }
    return ends(schema.root);
}

bool returns_without_a_level(const Schema& schema)
{
    std::vector<Seen> seen(schema.nodes.size(), Seen::no);
    for (NodeIndex i = 0; i < schema.nodes.size(); ++i)
        if (returns(schema, i, seen)) return true;
    return false;
}

}  // namespace parley::schema
