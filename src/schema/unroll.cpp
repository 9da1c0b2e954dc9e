#include "schema/unroll.hpp"

#include "schema/judge.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace parley::schema {
namespace {

using boost::json::value;

constexpr std::size_t too_deep = max_answer_depth + 1;
constexpr std::size_t max_nodes = 20'000;

// The levels that the shallowest and the deepest value of each node have; too_deep stands for all
// numbers from there on.
class Depths {
public:
    explicit Depths(const std::vector<Node>& nodes)
        : least_(nodes.size(), too_deep), most_(nodes.size(), 0)
    {
        literals_.reserve(nodes.size());
        for (const Node& node : nodes) literals_.push_back(levels_of(node.literals));
        // In both directions: a chain of references is followed in one pass, whatever its order.
        for (bool changed = true, forwards = true; changed; forwards = !forwards) {
            changed = false;
            for (NodeIndex i = 0; i < nodes.size(); ++i)
                changed |= update(nodes, forwards ? i : nodes.size() - 1 - i);
        }
    }

    std::size_t least(NodeIndex index) const { return least_[index]; }
    std::size_t most(NodeIndex index) const { return most_[index]; }

private:
    struct Levels {
        std::size_t least = too_deep;
        std::size_t most = 0;
    };
    static Levels levels_of(const std::vector<value>& literals)
    {
        Levels levels;
        for (const value& each : literals) {
            const std::size_t depth = depth_of(each);
            levels = {std::min(levels.least, depth), std::max(levels.most, depth)};
        }
        return levels;
    }

    // Whether it was changed.
    bool update(const std::vector<Node>& nodes, NodeIndex i)
    {
        const std::size_t least = std::min(least_of(nodes[i], i), too_deep);
        const std::size_t most = std::min(most_of(nodes[i], i), too_deep);
        const bool changed = least != least_[i] || most != most_[i];
        least_[i] = least;
        most_[i] = most;
        return changed;
    }

    std::size_t least_of(const Node& node, NodeIndex index) const
    {
        std::size_t levels = too_deep;
        switch (node.kind) {
            case Kind::any_object:
                return 1;
            case Kind::array:
                return 1 + (node.least > 0 && node.items ? least_[*node.items] : 0);
            case Kind::object:
                levels = 0;
                for (const Property& each : node.properties)
                    if (each.required) levels = std::max(levels, least_[each.node]);
                return 1 + levels;
            case Kind::literals:
                return literals_[index].least;
            case Kind::any_of:
                for (const NodeIndex each : node.branches) levels = std::min(levels, least_[each]);
                return levels;
            default:
                return 0;
        }
    }

    std::size_t most_of(const Node& node, NodeIndex index) const
    {
        std::size_t levels = 0;
        switch (node.kind) {
            case Kind::any:
                return free_levels;
            case Kind::any_object:
                return 1 + free_levels;
            case Kind::array:
                return 1 + (node.items ? most_[*node.items] : free_levels);
            case Kind::object:
                for (const Property& each : node.properties)
                    levels = std::max(levels, most_[each.node]);
                return 1 + levels;
            case Kind::literals:
                return literals_[index].most;
            case Kind::any_of:
                for (const NodeIndex each : node.branches) levels = std::max(levels, most_[each]);
                return levels;
            default:
                return 0;
        }
    }

    std::vector<Levels> literals_;
    std::vector<std::size_t> least_;
    std::vector<std::size_t> most_;
};

class Unroller {
public:
    explicit Unroller(const Schema& schema) : schema_(schema), depths_(schema.nodes) {}

    std::optional<Schema> unroll()
    {
        if (!fits(schema_.root, max_answer_depth)) return {};
        copy_.root = copy(schema_.root, max_answer_depth);
        // A list of work instead of recursion: a chain of references may be long.
        while (!unwritten_.empty()) {
            const Work work = unwritten_.front();
            unwritten_.pop_front();
            Node node = copied(schema_.nodes[work.from], work.room);
            copy_.nodes[work.to] = std::move(node);
            if (copy_.nodes.size() > max_nodes) return {};
        }
        return std::move(copy_);
    }

private:
    struct Work {
        NodeIndex from = 0;
        NodeIndex to = 0;
        std::size_t room = 0;  // Levels that its value may have.
    };

    bool fits(NodeIndex index, std::size_t room) const { return depths_.least(index) <= room; }

    // One copy serves all places where the whole node fits.
    NodeIndex copy(NodeIndex from, std::size_t room)
    {
        const std::pair key(from, std::min(room, depths_.most(from)));
        if (const auto found = copies_.find(key); found != copies_.end()) return found->second;
        copy_.nodes.emplace_back();
        const NodeIndex to = copy_.nodes.size() - 1;
        copies_.emplace(key, to);
        unwritten_.push_back({.from = from, .to = to, .room = key.second});
        return to;
    }

    Node copied(Node node, std::size_t room)
    {
        node.levels = std::min(node.levels, room);
        const std::size_t below = room == 0 ? 0 : room - 1;
        if (node.kind == Kind::any_object) node.levels = std::min(node.levels, below);
        if (node.kind == Kind::array) copy_items(node, below);
        std::erase_if(node.properties,
                      [&](const Property& each) { return !fits(each.node, below); });
        for (Property& each : node.properties) each.node = copy(each.node, below);
        std::erase_if(node.branches, [&](NodeIndex each) { return !fits(each, room); });
        for (NodeIndex& each : node.branches) each = copy(each, room);
        std::erase_if(node.literals, [&](const value& each) { return depth_of(each) > room; });
        return node;
    }

    void copy_items(Node& node, std::size_t below)
    {
        if (!node.items) {
            copy_.nodes.push_back({.levels = std::min(free_levels, below)});
            node.items = copy_.nodes.size() - 1;
        } else if (fits(*node.items, below)) {
            node.items = copy(*node.items, below);
        } else {
            node.items.reset();
            node.most = 0;
        }
    }

    const Schema& schema_;
    const Depths depths_;
    Schema copy_;
    std::map<std::pair<NodeIndex, std::size_t>, NodeIndex> copies_;
    std::deque<Work> unwritten_;
};

}  // namespace

std::optional<Schema> unrolled(const Schema& schema) { return Unroller(schema).unroll(); }

}  // namespace parley::schema
