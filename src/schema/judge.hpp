// Whether a value is valid for a part of a schema.
#pragma once

#include "schema/schema.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <utility>

namespace parley::schema {

// Looks at each part of a value once for each part of the schema, so that the work is at most their
// product. The values must not change while it exists: it remembers them by their address.
class Judge {
public:
    // Values are checked on the threads that serve requests: 20 ms at most.
    static constexpr std::size_t max_steps = 500'000;

    explicit Judge(const std::vector<Node>& nodes, std::size_t limit = max_steps)
        : nodes_(nodes), limit_(limit)
    {
    }

    bool fits(const boost::json::value& value, NodeIndex node);

    // The same for a branch of a choice. Several choices can lead to it, so it is remembered.
    bool fits_branch(const boost::json::value& value, NodeIndex branch);

    // Whether it gave up; then nothing fits.
    bool tired() const { return steps_ > limit_; }

    // The work so far.
    std::size_t steps() const { return steps_; }

private:
    using Pair = std::pair<const boost::json::value*, NodeIndex>;

    bool fits_array(const boost::json::value& value, const Node& node);
    bool fits_object(const boost::json::value& value, const Node& node);
    bool fits_string(const boost::json::value& value, const Node& node);
    bool fits_literal(const boost::json::value& value, const Node& node);

    const std::vector<Node>& nodes_;
    const std::size_t limit_;
    std::size_t steps_ = 0;
    boost::unordered_flat_map<Pair, bool> branches_;
};

// Numbers are equal by value: 1 and 1.0 are.
bool same(const boost::json::value& one, const boost::json::value& other);

// How deeply arrays and objects are nested in it.
std::size_t depth_of(const boost::json::value& json);

bool is_whole(const boost::json::value& number);

// Numbers in the usual form: 0.5, and not 5E-1.
void append_json(std::string& out, const boost::json::value& value);

}  // namespace parley::schema
