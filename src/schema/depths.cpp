#include "schema/depths.hpp"

#include "schema/judge.hpp"
#include "schema/settle.hpp"

#include <algorithm>
#include <utility>

namespace parley::schema {

Depths::Depths(const std::vector<Node>& nodes) : levels_(nodes.size())
{
    literals_.reserve(nodes.size());
    for (const Node& node : nodes) literals_.push_back(levels_of(node.literals));
    until_settled(nodes, [&](NodeIndex index) { return update(nodes, index); });
}

Depths::Levels Depths::levels_of(const std::vector<boost::json::value>& literals)
{
    Levels levels;
    for (const auto& each : literals) {
        const std::size_t depth = depth_of(each);
        levels = {std::min(levels.least, depth), std::max(levels.most, depth)};
    }
    return levels;
}

// Whether it was changed.
bool Depths::update(const std::vector<Node>& nodes, NodeIndex index)
{
    const Levels found{std::min(least_of(nodes[index], index), too_deep),
                       std::min(most_of(nodes[index], index), too_deep)};
    return std::exchange(levels_[index], found) != found;
}

std::size_t Depths::least_of(const Node& node, NodeIndex index) const
{
    std::size_t levels = too_deep;
    switch (node.kind) {
        case Kind::any_object:
            return 1;
        case Kind::array:
            return 1 + (node.least > 0 && node.items ? least(*node.items) : 0);
        case Kind::object:
            levels = 0;
            for (const Property& each : node.properties)
                if (each.required) levels = std::max(levels, least(each.node));
            return 1 + levels;
        case Kind::literals:
            return literals_[index].least;
        case Kind::any_of:
            for (const NodeIndex each : node.branches) levels = std::min(levels, least(each));
            return levels;
        default:
            return 0;
    }
}

std::size_t Depths::most_of(const Node& node, NodeIndex index) const
{
    std::size_t levels = 0;
    switch (node.kind) {
        case Kind::any:
            return free_levels;
        case Kind::any_object:
            return 1 + free_levels;
        case Kind::array:
            return 1 + (node.items ? most(*node.items) : free_levels);
        case Kind::object:
            for (const Property& each : node.properties) levels = std::max(levels, most(each.node));
            return 1 + levels;
        case Kind::literals:
            return literals_[index].most;
        case Kind::any_of:
            for (const NodeIndex each : node.branches) levels = std::max(levels, most(each));
            return levels;
        default:
            return 0;
    }
}

}  // namespace parley::schema
