#include "schema/readings.hpp"

#include "schema/judge.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace parley::schema {
namespace {

constexpr std::size_t too_many = Readings::most + 1;
constexpr std::size_t rooms = Depths::too_deep + 1;

// The check itself runs on an event loop.
constexpr std::size_t max_steps = 100'000;

// The readings at the first character of a value.
std::size_t starts_of(const Node& node)
{
    constexpr std::size_t of_any = 8;
    constexpr std::size_t of_number = 3;
    if (node.kind == Kind::any) return of_any;
    if (node.kind == Kind::number || node.kind == Kind::integer) return of_number;
    if (node.kind != Kind::object) return 1;
    // Each optional property may be left out.
    std::size_t run = 1;
    std::size_t longest = 1;
    for (const Property& each : node.properties) {
        run = each.required ? 1 : run + 1;
        longest = std::max(longest, run);
    }
    return longest;
}

// The readings of objects that one place allows. Their first keys tell them apart, and its values
// if they are constant.
class Objects {
public:
    explicit Objects(const std::vector<Node>& nodes) : nodes_(nodes) {}

    void add_unknown(std::size_t readings) { unknown_ += readings; }

    void add(const Node& object, std::size_t readings)
    {
        if (object.properties.empty() || !object.properties.front().required)
            return add_unknown(readings);
        Alike& alike = keys_[object.properties.front().name];
        const Node& value = nodes_[object.properties.front().node];
        if (value.kind != Kind::literals) {
            alike.any_value += readings;
            return;
        }
        for (const auto& literal : value.literals) {
            std::string text;
            append_json(text, literal);
            alike.values[text] += readings;
        }
    }

    std::size_t most() const
    {
        std::size_t most = 0;
        for (const auto& [key, alike] : keys_) {
            std::size_t same = 0;
            for (const auto& [value, readings] : alike.values) same = std::max(same, readings);
            most = std::max(most, alike.any_value + same);
        }
        return unknown_ + most;
    }

private:
    struct Alike {
        std::size_t any_value = 0;
        std::map<std::string, std::size_t> values;
    };

    const std::vector<Node>& nodes_;
    std::size_t unknown_ = 0;
    std::map<std::string_view, Alike> keys_;
};

}  // namespace

Readings::Readings(const std::vector<Node>& nodes)
    : nodes_(nodes), depths_(nodes), known_(nodes.size() * rooms, 0)
{
}

// The most at any place of a value of this node, which may have so many levels.
std::size_t Readings::of(NodeIndex index, std::size_t room)
{
    if (depths_.least(index) > room) return 0;
    const std::size_t levels = std::min(room, depths_.most(index));
    std::uint16_t& known = known_[index * rooms + levels];
    if (known > 0) return known;
    const Node& node = nodes_[index];
    if (++steps_ > max_steps) return too_many;
    std::size_t widest = starts_of(node);
    if (node.kind == Kind::any_of) widest = of_choice(index, levels);
    const std::size_t less = levels == 0 ? 0 : levels - 1;
    if (node.items) widest = std::max(widest, of(*node.items, less));
    for (const Property& each : node.properties) widest = std::max(widest, of(each.node, less));
    known = static_cast<std::uint16_t>(std::min(widest, too_many));
    return known;
}

std::size_t Readings::of_choice(NodeIndex index, std::size_t room)
{
    std::size_t starts = 0;
    std::size_t arrays = 0;
    Objects objects(nodes_);
    for (const NodeIndex leaf : leaves_of(index)) {
        const Node& node = nodes_[leaf];
        const std::size_t readings = of(leaf, room);
        if (readings == 0) continue;
        starts += starts_of(node);
        if (node.kind == Kind::object) {
            objects.add(node, readings);
        } else if (node.kind == Kind::array) {
            arrays += readings;
        } else if (depths_.most(leaf) > 0) {
            arrays += readings;
            objects.add_unknown(readings);
        }
    }
    return std::max({starts, arrays, objects.most()});
}

// The branches of a choice, and those of choices among them.
std::vector<NodeIndex> Readings::leaves_of(NodeIndex choice)
{
    std::vector<NodeIndex> found;
    std::vector<NodeIndex> open{choice};
    std::vector<NodeIndex> seen{choice};
    while (!open.empty() && ++steps_ <= max_steps) {
        const NodeIndex index = open.back();
        open.pop_back();
        if (nodes_[index].kind != Kind::any_of) {
            found.push_back(index);
            continue;
        }
        for (const NodeIndex each : nodes_[index].branches) {
            if (std::ranges::find(seen, each) != seen.end()) continue;
            seen.push_back(each);
            open.push_back(each);
        }
    }
    return found;
}

}  // namespace parley::schema
