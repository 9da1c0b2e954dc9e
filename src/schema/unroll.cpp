#include "schema/unroll.hpp"

#include "schema/depths.hpp"
#include "schema/judge.hpp"

#include <algorithm>
#include <deque>

namespace parley::schema {
namespace {

using boost::json::value;

constexpr std::size_t max_nodes = 20'000;
constexpr std::size_t rooms = Depths::too_deep + 1;

// A node as it is where its values may have so many levels.
struct Work {
    NodeIndex from = 0;
    NodeIndex to = 0;
    std::size_t room = 0;
};

// Gives each node that is needed a place, once for each number of levels that makes a difference.
class Places {
public:
    explicit Places(const std::vector<Node>& nodes)
        : depths_(nodes), places_(nodes.size() * rooms, none)
    {
    }

    bool fits(NodeIndex index, std::size_t room) const { return depths_.least(index) <= room; }

    // One copy serves all places where the whole node fits.
    NodeIndex of(NodeIndex from, std::size_t room)
    {
        const std::size_t levels = std::min(room, depths_.most(from));
        NodeIndex& place = places_[from * rooms + levels];
        if (place != none) return place;
        place = count_++;
        unwritten_.push_back({.from = from, .to = place, .room = levels});
        return place;
    }

    // For a node that the schema does not have.
    NodeIndex new_place() { return count_++; }

    // A list of work instead of recursion: a chain of references may be long.
    std::optional<Work> next()
    {
        if (unwritten_.empty()) return {};
        const Work work = unwritten_.front();
        unwritten_.pop_front();
        return work;
    }

    std::size_t count() const { return count_; }

private:
    static constexpr NodeIndex none = static_cast<NodeIndex>(-1);

    const Depths depths_;
    std::vector<NodeIndex> places_;
    std::size_t count_ = 0;
    std::deque<Work> unwritten_;
};

std::size_t below(std::size_t room) { return room == 0 ? 0 : room - 1; }

// Asks for a place for each node below this one.
void visit_below(Places& places, const Node& node, std::size_t room)
{
    if (node.kind == Kind::array && !node.items) places.new_place();
    if (node.items && places.fits(*node.items, below(room))) places.of(*node.items, below(room));
    for (const Property& each : node.properties)
        if (places.fits(each.node, below(room))) places.of(each.node, below(room));
    for (const NodeIndex each : node.branches)
        if (places.fits(each, room)) places.of(each, room);
}

class Unroller {
public:
    explicit Unroller(const Schema& schema) : schema_(schema), places_(schema.nodes) {}

    Schema unroll()
    {
        copy_.root = places_.of(schema_.root, max_answer_depth);
        while (const auto work = places_.next())
            put(work->to, copied(schema_.nodes[work->from], work->room));
        return std::move(copy_);
    }

private:
    void put(NodeIndex place, Node node)
    {
        if (copy_.nodes.size() < places_.count()) copy_.nodes.resize(places_.count());
        copy_.nodes[place] = std::move(node);
    }

    Node copied(Node node, std::size_t room)
    {
        node.levels = std::min(node.levels, room);
        const std::size_t less = below(room);
        if (node.kind == Kind::any_object) node.levels = std::min(node.levels, less);
        if (node.kind == Kind::array) copy_items(node, less);
        std::erase_if(node.properties,
                      [&](const Property& each) { return !places_.fits(each.node, less); });
        for (Property& each : node.properties) each.node = places_.of(each.node, less);
        std::erase_if(node.branches, [&](NodeIndex each) { return !places_.fits(each, room); });
        for (NodeIndex& each : node.branches) each = places_.of(each, room);
        std::erase_if(node.literals, [&](const value& each) { return depth_of(each) > room; });
        return node;
    }

    void copy_items(Node& node, std::size_t room)
    {
        if (!node.items) {
            node.items = places_.new_place();
            put(*node.items, {.levels = std::min(free_levels, room)});
        } else if (places_.fits(*node.items, room)) {
            node.items = places_.of(*node.items, room);
        } else {
            node.items.reset();
            node.most = 0;
        }
    }

    const Schema& schema_;
    Places places_;
    Schema copy_;
};

}  // namespace

std::optional<std::size_t> unrolled_size(const Schema& schema)
{
    Places places(schema.nodes);
    if (!places.fits(schema.root, max_answer_depth)) return {};
    places.of(schema.root, max_answer_depth);
    while (const auto work = places.next()) {
        visit_below(places, schema.nodes[work->from], work->room);
        if (places.count() > max_nodes) return {};
    }
    return places.count();
}

std::optional<Schema> unrolled(const Schema& schema)
{
    if (!unrolled_size(schema)) return {};
    return Unroller(schema).unroll();
}

}  // namespace parley::schema
