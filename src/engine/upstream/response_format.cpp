#include "engine/upstream/response_format.hpp"

#include "base/json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace parley::engine::upstream {
namespace {

using boost::json::object;
using boost::json::value;

bool allows_strict(const schema::Schema& schema)
{
    using schema::Kind;
    if (schema.nodes[schema.root].kind != Kind::object) return false;
    return std::ranges::none_of(schema.nodes, [](const schema::Node& node) {
        if (node.kind == Kind::any || node.kind == Kind::any_object) return true;
        if (node.kind == Kind::string && (node.least > 0 || node.most)) return true;
        return !std::ranges::all_of(node.properties, &schema::Property::required);
    });
}

bool describes_object(const object& schema)
{
    if (schema.contains("properties") || schema.contains("required")) return true;
    const auto* type = schema.if_contains("type");
    const auto* types = type ? type->if_array() : nullptr;
    const value name("object");
    return type && (types ? std::ranges::find(*types, name) != types->end() : *type == name);
}

// Absent `additionalProperties` means false here, and true elsewhere.
void close(value& json)
{
    auto* schema = json.if_object();
    if (!schema) return;
    for (const std::string_view map : {"properties", "$defs"})
        if (auto* members = schema->if_contains(map); members && members->is_object())
            for (auto& member : members->as_object()) close(member.value());
    if (auto* items = schema->if_contains("items")) close(*items);
    if (auto* choices = schema->if_contains("anyOf"); choices && choices->is_array())
        for (value& choice : choices->as_array()) close(choice);
    if (describes_object(*schema)) (*schema)["additionalProperties"] = false;
}

}  // namespace

object response_format(const schema::Schema& schema)
{
    if (schema.text.empty()) return {{"type", "json_object"}};
    auto json = json::parse(schema.text);
    value closed = json ? std::move(*json) : value(object());
    close(closed);
    return {{"type", "json_schema"},
            {"json_schema",
             {{"name", "answer"}, {"strict", allows_strict(schema)}, {"schema", closed}}}};
}

}  // namespace parley::engine::upstream
