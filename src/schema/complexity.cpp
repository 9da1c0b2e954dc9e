#include "schema/complexity.hpp"

#include "schema/limits.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

namespace parley::schema {
namespace {

// Each choice that is still open is followed separately, for each token that is tried.
constexpr std::size_t max_choices = 256;

// llama.cpp makes a rule of each repetition.
constexpr std::int64_t max_repetitions = 50'000;

// The ways in which a number between these begins: the grammar has some for each digit.
std::size_t ways_to_begin(std::int64_t bound)
{
    if (std::abs(bound) == usual_integer) return 0;
    return 2 * std::to_string(bound).size();
}

// The widest place of the grammar of a single node.
std::size_t own_choices(const Node& node)
{
    if (node.kind == Kind::integer) {
        const IntegerRange range = written_integers(node.minimum, node.maximum);
        return 1 + ways_to_begin(range.least) + ways_to_begin(range.most);
    }
    return node.kind == Kind::any_of ? 0 : 1;
}

class Choices {
public:
    explicit Choices(const std::vector<Node>& nodes) : nodes_(nodes), known_(nodes.size(), 0) {}

    // How many alternatives begin at this node, counted up to the first one too many.
    std::size_t of(NodeIndex index)
    {
        if (known_[index] > 0) return known_[index];
        const Node& node = nodes_[index];
        std::size_t sum = own_choices(node);
        for (const NodeIndex each : node.branches) sum = std::min(sum + of(each), max_choices + 1);
        return known_[index] = std::max<std::size_t>(sum, 1);
    }

private:
    const std::vector<Node>& nodes_;
    std::vector<std::size_t> known_;
};

// The grammar shares the rule of strings with the same lengths.
std::int64_t repetitions(const std::vector<Node>& nodes)
{
    std::int64_t sum = 0;
    std::set<std::pair<std::int64_t, std::int64_t>> lengths;
    for (const Node& node : nodes) {
        const std::int64_t most = std::max(node.least, node.most.value_or(0));
        if (node.kind == Kind::string &&
            !lengths.emplace(node.least, node.most.value_or(-1)).second)
            continue;
        sum += most;
    }
    return sum;
}

}  // namespace

bool is_too_complex(const Schema& schema)
{
    Choices choices(schema.nodes);
    for (NodeIndex i = 0; i < schema.nodes.size(); ++i)
        if (choices.of(i) > max_choices) return true;
    return repetitions(schema.nodes) > max_repetitions;
}

}  // namespace parley::schema
