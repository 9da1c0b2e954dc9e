#include "api/tools_of_request.hpp"

#include "base/json.hpp"
#include "fields/path.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace parley::api {
namespace {

using boost::json::object;
using boost::json::value;

// The maximum for tools that are stored, and for those whose schemas become a grammar.
constexpr std::size_t max_bytes = std::size_t{256} * 1024;

void check_size(const engine::Tools& tools, const fields::FieldPath& at)
{
    if (tools.given.size() > max_bytes)
        at.member("tools").fault("too_long", "all together must have at most 262144 bytes");
}

// {"type":"function","function":{"name":…}} → {"type":"function","name":…}
object flat(const object& nested)
{
    const value* type = nested.if_contains("type");
    const value* inner =
        type && type->is_string() ? nested.if_contains(type->as_string()) : nullptr;
    if (!inner || !inner->is_object()) return nested;
    object members{{"type", *type}};
    for (const auto& [name, member] : inner->as_object()) members[name] = member;
    if (auto* list = members.if_contains("tools"); list && list->is_array())
        for (value& each : list->as_array())
            if (each.is_object()) each = flat(each.as_object());
    return members;
}

}  // namespace

engine::ToolsRef tools_of(const object& request, engine::ToolShape shape, engine::ToolUse use,
                          bool is_stored, Faults& faults)
{
    const fields::Reading reading{.faults = faults, .unknown = fields::UnknownFields::ignored};
    const fields::FieldPath at(reading, "#");
    auto tools = engine::read_tools(request, shape, use, at);
    const bool is_demanded = engine::demands_call(tools, use);
    if (!tools || (!is_stored && !is_demanded)) return tools;
    const std::size_t before = faults.size();
    check_size(*tools, at);
    if (is_demanded && faults.size() == before)
        static_cast<void>(engine::call_schema(*tools, shape, at));
    return tools;
}

ShownTools shown_tools(const engine::ToolsRef& tools)
{
    ShownTools shown;
    if (!tools) return shown;
    const auto given = json::parse(tools->given);
    if (!given) return shown;  // It was JSON when it was read.
    for (const value& tool : given->at("tools").as_array())
        shown.tools.push_back(flat(tool.as_object()));
    if (const value* choice = given->as_object().if_contains("tool_choice"))
        shown.choice = choice->is_object() ? value(flat(choice->as_object())) : *choice;
    return shown;
}

}  // namespace parley::api
