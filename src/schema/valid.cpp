#include "base/json.hpp"
#include "schema/judge.hpp"

#include <utility>

namespace parley::schema {
namespace {

using boost::json::value;

Error invalid(std::string why) { return {Errc::validation_failed, "The answer " + std::move(why)}; }

class Compact {
public:
    // A valid value was judged within max_steps; here each branch is asked for twice at most.
    explicit Compact(const std::vector<Node>& nodes)
        : nodes_(nodes), judge_(nodes, 2 * Judge::max_steps)
    {
    }

    void append(std::string& out, const value& value, NodeIndex index)
    {
        const Node& node = nodes_[index];
        if (node.kind == Kind::any_of) {
            for (const NodeIndex branch : node.branches)
                if (judge_.fits_branch(value, branch)) return append(out, value, branch);
        } else if (node.kind == Kind::literals) {
            for (const auto& literal : node.literals)
                if (same(literal, value)) return append_json(out, literal);
        } else if (node.kind == Kind::object && value.is_object()) {
            return append_object(out, value.as_object(), node);
        } else if (node.kind == Kind::array && node.items && value.is_array()) {
            return append_array(out, value.as_array(), *node.items);
        }
        append_json(out, value);
    }

private:
    void append_object(std::string& out, const boost::json::object& object, const Node& node)
    {
        char before = '{';
        for (const Property& property : node.properties) {
            const auto* member = object.if_contains(property.name);
            if (!member) continue;
            out += std::exchange(before, ',');
            append_json(out, boost::json::string(property.name));
            out += ':';
            append(out, *member, property.node);
        }
        out += before == '{' ? "{}" : "}";
    }
    void append_array(std::string& out, const boost::json::array& array, NodeIndex items)
    {
        char before = '[';
        for (const auto& item : array) {
            out += std::exchange(before, ',');
            append(out, item, items);
        }
        out += before == '[' ? "[]" : "]";
    }

    const std::vector<Node>& nodes_;
    Judge judge_;
};

}  // namespace

Result<value> parse_answer(std::string_view text)
{
    auto parsed =
        json::parse_by({.max_depth = max_answer_depth, .last_duplicate_counts = true}, text);
    if (!parsed) return invalid("is not JSON: " + parsed.error().message);
    return parsed;
}

Result<value> valid(const Schema& schema, std::string_view text)
{
    auto parsed = parse_answer(text);
    if (!parsed) return parsed;
    Judge judge(schema.nodes);
    if (judge.fits(*parsed, schema.root)) return parsed;
    return invalid(judge.tired() ? "takes too long to check against its schema"
                                 : "does not match its schema");
}

bool is_valid(const Schema& schema, const value& answer)
{
    return depth_of(answer) <= max_answer_depth && Judge(schema.nodes).fits(answer, schema.root);
}

std::string compact(const Schema& schema, const value& value)
{
    std::string out;
    Compact(schema.nodes).append(out, value, schema.root);
    return out;
}

}  // namespace parley::schema
