// How deeply the values of each node of a schema are nested.
#pragma once

#include "schema/schema.hpp"

#include <vector>

namespace parley::schema {

// The levels that the shallowest and the deepest value of each node have; too_deep stands for all
// numbers from there on.
class Depths {
public:
    static constexpr std::size_t too_deep = max_answer_depth + 1;

    explicit Depths(const std::vector<Node>& nodes);

    std::size_t least(NodeIndex index) const { return levels_[index].least; }
    std::size_t most(NodeIndex index) const { return levels_[index].most; }

private:
    struct Levels {
        std::size_t least = too_deep;
        std::size_t most = 0;

        bool operator==(const Levels&) const = default;
    };
    static Levels levels_of(const std::vector<boost::json::value>& literals);

    bool update(const std::vector<Node>& nodes, NodeIndex index);
    std::size_t least_of(const Node& node, NodeIndex index) const;
    std::size_t most_of(const Node& node, NodeIndex index) const;

    std::vector<Levels> literals_;
    std::vector<Levels> levels_;
};

}  // namespace parley::schema
