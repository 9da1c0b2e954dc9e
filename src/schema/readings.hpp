// How many readings of an unfinished answer can be open at the same time. The grammar follows each
// of them, and llama.cpp compares each with all others, on the thread that computes for all
// answers.
#pragma once

#include "schema/depths.hpp"
#include "schema/schema.hpp"

#include <cstdint>
#include <vector>

namespace parley::schema {

class Readings {
public:
    // A little more than an object needs that has only optional properties.
    static constexpr std::size_t most = 512;

    explicit Readings(const std::vector<Node>& nodes);

    // Whether there can be more. It looks at the values of the root, as deep as they are unrolled.
    bool are_too_many(NodeIndex root) { return of(root, max_answer_depth) > most; }

private:
    std::size_t of(NodeIndex index, std::size_t room);
    std::size_t of_choice(NodeIndex index, std::size_t room);
    std::vector<NodeIndex> leaves_of(NodeIndex choice);

    const std::vector<Node>& nodes_;
    const Depths depths_;
    std::vector<std::uint16_t> known_;
    std::size_t steps_ = 0;
};

}  // namespace parley::schema
