// Whether a value is valid for a part of a schema.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

class Judge {
public:
    explicit Judge(const std::vector<Node>& nodes) : nodes_(nodes) {}

    bool fits(const boost::json::value& value, NodeIndex node);

    // Whether it gave up: nested choices can need an unbounded amount of work.
    bool tired() const { return steps_ > max_steps; }

private:
    static constexpr std::size_t max_steps = 2'000'000;

    bool fits_array(const boost::json::value& value, const Node& node);
    bool fits_object(const boost::json::value& value, const Node& node);

    const std::vector<Node>& nodes_;
    std::size_t steps_ = 0;
};

// Numbers are equal by value: 1 and 1.0 are.
bool same(const boost::json::value& one, const boost::json::value& other);

// How deeply arrays and objects are nested in it.
std::size_t depth_of(const boost::json::value& json);

bool is_whole(const boost::json::value& number);

// Numbers in the usual form: 0.5, and not 5E-1.
void append_json(std::string& out, const boost::json::value& value);

}  // namespace parley::schema
