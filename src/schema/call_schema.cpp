#include "base/json.hpp"
#include "schema/calls.hpp"
#include "schema/complexity.hpp"
#include "schema/judge.hpp"
#include "schema/readings.hpp"
#include "schema/schema.hpp"
#include "schema/unroll.hpp"

#include <algorithm>

namespace parley::schema {
namespace {

// Copies the nodes of a schema behind those of another one.
NodeIndex append_nodes(std::vector<Node>& nodes, const Schema& schema)
{
    const NodeIndex first = nodes.size();
    for (Node node : schema.nodes) {
        if (node.items) *node.items += first;
        for (Property& property : node.properties) property.node += first;
        for (NodeIndex& branch : node.branches) branch += first;
        nodes.push_back(std::move(node));
    }
    return first + schema.root;
}

NodeIndex append_call(std::vector<Node>& nodes, const FunctionSchema& function)
{
    nodes.push_back({.kind = Kind::literals, .literals = {boost::json::string(function.name)}});
    const NodeIndex name = nodes.size() - 1;
    const NodeIndex arguments = append_nodes(nodes, *function.arguments);
    nodes.push_back({.kind = Kind::object,
                     .properties = {{.name = "name", .node = name, .required = true},
                                    {.name = "arguments", .node = arguments, .required = true}}});
    return nodes.size() - 1;
}

}  // namespace

SchemaRef call_of(const std::vector<FunctionSchema>& functions)
{
    auto schema = std::make_shared<Schema>();
    Node choice{.kind = Kind::any_of};
    for (const FunctionSchema& function : functions) {
        schema->text += schema->text.empty() ? "call of " : ", ";
        schema->text += function.name;
        choice.branches.push_back(append_call(schema->nodes, function));
    }
    schema->nodes.push_back(std::move(choice));
    schema->root = schema->nodes.size() - 1;
    const bool is_usable = !functions.empty() && !is_too_complex(*schema) &&
                           unrolled_size(*schema) &&
                           !Readings(schema->nodes).are_too_many(schema->root);
    return is_usable ? schema : nullptr;
}

std::optional<boost::json::value> call_with(const Schema& calls, boost::json::value arguments)
{
    if (depth_of(arguments) >= max_answer_depth) return {};
    Judge judge(calls.nodes);  // One for all: the work is bounded for all functions together.
    for (const NodeIndex branch : calls.nodes[calls.root].branches) {
        const auto& properties = calls.nodes[branch].properties;
        if (!judge.fits(arguments, properties.at(1).node)) continue;
        const Node& name = calls.nodes[properties.at(0).node];
        return boost::json::object{{"name", name.literals.front()},
                                   {"arguments", std::move(arguments)}};
    }
    return {};
}

bool allows_only_objects(const Schema& schema)
{
    std::vector<NodeIndex> open{schema.root};
    std::vector<bool> seen(schema.nodes.size());
    while (!open.empty()) {
        const NodeIndex index = open.back();
        open.pop_back();
        if (seen[index]) continue;
        seen[index] = true;
        const Node& node = schema.nodes[index];
        if (node.kind == Kind::any_of)
            open.insert(open.end(), node.branches.begin(), node.branches.end());
        else if (node.kind == Kind::literals) {
            if (!std::ranges::all_of(node.literals,
                                     [](const auto& each) { return each.is_object(); }))
                return false;
        } else if (node.kind != Kind::object && node.kind != Kind::any_object) {
            return false;
        }
    }
    return true;
}

}  // namespace parley::schema
