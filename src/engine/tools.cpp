#include "engine/tools.hpp"

#include "base/json.hpp"
#include "schema/judge.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <set>

namespace parley::engine {
namespace {

using boost::json::object;
using boost::json::value;
using fields::FieldPath;

constexpr std::string_view name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

// Null if it is absent, or null.
const value* given_member(const object& from, std::string_view name)
{
    const value* found = from.if_contains(name);
    return found && !found->is_null() ? found : nullptr;
}

const value* required_member(const object& from, std::string_view name, const FieldPath& at)
{
    const value* found = given_member(from, name);
    if (!found) at.member(name).fault("required", "is required");
    return found;
}

const object* as_object(const value* json, const FieldPath& at)
{
    if (!json) return nullptr;
    if (!json->is_object()) at.fault("wrong_type", "must be an object");
    return json->if_object();
}

std::optional<std::string> as_text(const value* json, const FieldPath& at)
{
    if (!json) return {};
    if (json->is_string()) return std::string(json->as_string());
    at.fault("wrong_type", "must be a text");
    return {};
}

const object* object_member(const object& from, std::string_view name, const FieldPath& at)
{
    return as_object(required_member(from, name, at), at.member(name));
}

std::optional<std::string> text_member(const object& from, std::string_view name,
                                       const FieldPath& at)
{
    return as_text(required_member(from, name, at), at.member(name));
}

schema::SchemaRef arguments_of(const Function& function, const FieldPath& at)
{
    // Without parameters: no arguments.
    const auto parameters =
        json::parse(function.parameters.empty() ? R"({"type":"object"})" : function.parameters);
    if (!parameters) return nullptr;  // It was JSON when it was read.
    if (parameters->as_object().empty()) return schema::any_object();
    auto checked = schema::check(*parameters, at);
    if (checked && !schema::allows_only_objects(*checked))
        at.fault(unsupported_schema, "must describe an object");
    return checked;
}

class ToolsReader {
public:
    ToolsReader(const object& request, ToolShape shape, ToolUse use, const FieldPath& at)
        : request_(request), is_nested_(shape == ToolShape::nested), use_(use), at_(at)
    {
    }

    ToolsRef read()
    {
        const std::size_t faults = at_.reading().faults.size();
        const FieldPath list = at_.member("tools");
        const FieldPath choice = at_.member("tool_choice");
        if (const value* found = given_member(request_, "tools")) read_list(*found, list);
        if (const value* found = given_member(request_, "tool_choice")) read_choice(*found, choice);
        const value* parallel = given_member(request_, "parallel_tool_calls");
        if (parallel && !parallel->is_bool())
            at_.member("parallel_tool_calls").fault("wrong_type", "must be true or false");
        tools_.parallel = !parallel || *parallel != false;
        if (at_.reading().faults.size() > faults) return nullptr;
        if (tools_.choice == ToolChoice::required && !has_callable())
            choice.fault("not_allowed", "needs a function in tools");
        if (given_.empty() || at_.reading().faults.size() > faults) return nullptr;
        object members{{"tools", std::move(given_)}};
        if (!given_choice_.is_null()) members["tool_choice"] = std::move(given_choice_);
        if (parallel) members["parallel_tool_calls"] = *parallel;
        schema::append_json(tools_.given, members);
        // The nested shape has one level more than the flat one.
        if (!is_nested_ && !json::parse(tools_.given)) {
            list.fault("too_deep", "is nested too deeply");
            return nullptr;
        }
        return std::make_shared<const Tools>(std::move(tools_));
    }

private:
    bool has_callable() const
    {
        return use_ == ToolUse::passed_on ? !given_.empty() : !tools_.functions.empty();
    }

    void read_list(const value& json, const FieldPath& at)
    {
        const auto* list = json.if_array();
        if (!list) return at.fault("wrong_type", "must be a list");
        if (list->size() > max_tools) return at.fault("too_long", "must have at most 128 tools");
        for (std::size_t i = 0; i < list->size() && !at.enough(); ++i)
            read_tool((*list)[i], i, at.item(i));
    }

    void read_tool(const value& json, std::size_t place, const FieldPath& at)
    {
        const object* tool = as_object(&json, at);
        const auto type = tool ? text_member(*tool, "type", at) : std::nullopt;
        if (!type) return;
        given_.push_back(nested(*tool));
        if (type != "function") return;
        const FieldPath below = at.member("function");
        const object* function = is_nested_ ? object_member(*tool, "function", at) : tool;
        if (function) read_function(*function, place, is_nested_ ? below : at);
    }

    void read_function(const object& json, std::size_t place, const FieldPath& at)
    {
        const auto name = text_member(json, "name", at);
        if (name && (name->empty() || name->size() > max_function_name ||
                     name->find_first_not_of(name_letters) != std::string::npos))
            at.member("name").fault("not_allowed",
                                    "must have 1 to 64 letters, digits, underscores and dashes");
        const auto description =
            as_text(given_member(json, "description"), at.member("description"));
        const auto* parameters =
            as_object(given_member(json, "parameters"), at.member("parameters"));
        if (const value* strict = given_member(json, "strict"); strict && !strict->is_bool())
            at.member("strict").fault("wrong_type", "must be true or false");
        tools_.functions.push_back({.name = name.value_or(""),
                                    .description = description.value_or(""),
                                    .parameters = {},
                                    .place = place});
        if (parameters) schema::append_json(tools_.functions.back().parameters, *parameters);
    }

    void read_choice(const value& json, const FieldPath& at)
    {
        given_choice_ = json;
        if (json.is_string()) return read_mode(json, at);
        const object* choice = as_object(&json, at);
        const auto type = choice ? text_member(*choice, "type", at) : std::nullopt;
        if (!type) return;
        given_choice_ = nested(*choice);
        if (type == "function") {
            tools_.choice = ToolChoice::required;
            keep_only({name_in(*choice, at)});
        } else if (type == "allowed_tools") {
            const FieldPath below = at.member("allowed_tools");
            const object* allowed =
                is_nested_ ? object_member(*choice, "allowed_tools", at) : choice;
            if (allowed) read_allowed(*allowed, is_nested_ ? below : at);
        } else if (use_ != ToolUse::passed_on) {
            at.member("type").fault("unsupported_parameter", "is not supported by this model");
        }
    }

    void read_mode(const value& mode, const FieldPath& at)
    {
        if (mode == "none")
            tools_.choice = ToolChoice::none;
        else if (mode == "required")
            tools_.choice = ToolChoice::required;
        else if (mode != "auto")
            at.fault("not_allowed",
                     "must be none, auto, required, or an object that names a function");
    }

    void read_allowed(const object& json, const FieldPath& at)
    {
        if (const value* mode = required_member(json, "mode", at)) {
            if (*mode == "required")
                tools_.choice = ToolChoice::required;
            else if (*mode != "auto")
                at.member("mode").fault("not_allowed", "must be auto or required");
        }
        const FieldPath spot = at.member("tools");
        const value* list = required_member(json, "tools", at);
        if (list && !list->is_array()) spot.fault("wrong_type", "must be a list");
        if (!list || !list->is_array()) return;
        std::set<std::string> names;
        const auto& tools = list->as_array();
        for (std::size_t i = 0; i < tools.size() && !at.enough(); ++i) {
            const FieldPath here = spot.item(i);
            if (const object* tool = as_object(&tools[i], here)) names.insert(name_in(*tool, here));
        }
        keep_only(names);
    }

    // The function of a choice, which must be among the tools.
    std::string name_in(const object& json, const FieldPath& at) const
    {
        const FieldPath below = at.member("function");
        const object* function = is_nested_ ? object_member(json, "function", at) : &json;
        if (!function) return {};
        const FieldPath& spot = is_nested_ ? below : at;
        const std::string name = text_member(*function, "name", spot).value_or("");
        if (!name.empty() &&
            std::ranges::find(tools_.functions, name, &Function::name) == tools_.functions.end())
            spot.member("name").fault("not_allowed", "is not among the tools");
        return name;
    }

    void keep_only(const std::set<std::string>& names)
    {
        std::erase_if(tools_.functions,
                      [&](const Function& each) { return !names.contains(each.name); });
    }

    // As a chat completion writes it.
    object nested(const object& flat) const
    {
        const value* type = flat.if_contains("type");
        if (is_nested_ || !type || (*type != "function" && *type != "allowed_tools")) return flat;
        object members = flat;
        members.stable_erase("type");
        if (auto* list = members.if_contains("tools"); list && list->is_array())
            for (value& each : list->as_array())
                if (each.is_object()) each = nested(each.as_object());
        return {{"type", *type}, {type->as_string(), std::move(members)}};
    }

    const object& request_;
    const bool is_nested_;
    const ToolUse use_;
    const FieldPath& at_;
    Tools tools_;
    boost::json::array given_;
    value given_choice_;
};

}  // namespace

ToolsRef read_tools(const object& request, ToolShape shape, ToolUse use, const FieldPath& at)
{
    return ToolsReader(request, shape, use, at).read();
}

ToolsRef restored_tools(std::string_view given)
{
    const auto parsed = json::parse(given);
    if (!parsed || !parsed->is_object()) return nullptr;
    Faults faults;
    const fields::Reading reading{.faults = faults};
    return read_tools(parsed->as_object(), ToolShape::nested, ToolUse::passed_on,
                      FieldPath(reading, "#"));
}

schema::SchemaRef call_schema(const Tools& tools, ToolShape shape, const FieldPath& at)
{
    const std::size_t faults = at.reading().faults.size();
    const FieldPath list = at.member("tools");
    std::set<std::string_view> names;
    std::vector<schema::FunctionSchema> functions;
    for (const Function& function : tools.functions) {
        const FieldPath tool = list.item(function.place);
        const FieldPath below = tool.member("function");
        const FieldPath& described = shape == ToolShape::nested ? below : tool;
        if (!names.insert(function.name).second)
            described.member("name").fault("not_allowed", "is the name of another function");
        functions.push_back(
            {function.name, arguments_of(function, described.member("parameters"))});
    }
    if (at.reading().faults.size() > faults) return nullptr;
    auto call = schema::call_of(functions);
    if (!call) list.fault(unsupported_schema, "the functions are too complex together");
    return call;
}

}  // namespace parley::engine
