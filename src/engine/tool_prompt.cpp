#include "engine/tool_prompt.hpp"

#include "base/json.hpp"
#include "schema/judge.hpp"

#include <boost/json/object.hpp>

namespace parley::engine {
namespace {

std::string signature_of(const Function& function)
{
    boost::json::object described{{"name", function.name}};
    if (!function.description.empty()) described["description"] = function.description;
    if (const auto parameters = json::parse(function.parameters))
        described["parameters"] = *parameters;
    std::string text;
    schema::append_json(
        text, boost::json::object{{"type", "function"}, {"function", std::move(described)}});
    return text;
}

std::string trained_section(const Tools& tools)
{
    std::string text =
        "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
        "You are provided with function signatures within <tools></tools> XML tags:\n<tools>";
    for (const Function& function : tools.functions)
        text.append("\n").append(signature_of(function));
    text +=
        "\n</tools>\n\nFor each function call, return a json object with function name and "
        "arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": "
        "<function-name>, \"arguments\": <args-json-object>}\n</tool_call>";
    return text;
}

std::string short_section(const Tools& tools)
{
    std::string text =
        "Answer by calling one of these functions. Take the arguments from the user's message.";
    for (const Function& function : tools.functions) {
        text.append("\n\nFunction: ").append(function.name);
        if (!function.description.empty()) text.append("\n").append(function.description);
        if (!function.parameters.empty())
            text.append("\nParameters (JSON Schema): ").append(function.parameters);
    }
    return text;
}

}  // namespace

std::string tool_section(const Sampling& sampling, ToolUse use)
{
    if (!sampling.tools || use == ToolUse::passed_on) return {};
    const Tools& tools = *sampling.tools;
    const bool is_demanded = demands_call(sampling.tools, use);
    if (tools.functions.empty() || tools.choice == ToolChoice::none) return {};
    if (use == ToolUse::demanded) return is_demanded ? short_section(tools) : std::string();
    // An answer in a format cannot contain a call.
    if (sampling.format && !is_demanded) return {};
    return trained_section(tools);
}

}  // namespace parley::engine
