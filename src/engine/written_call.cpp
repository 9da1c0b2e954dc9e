#include "engine/written_call.hpp"

#include "base/json.hpp"
#include "schema/judge.hpp"

namespace parley::engine {
namespace {

using boost::json::value;

constexpr std::string_view blanks = " \t\r\n";

std::string text_in(const value& json, std::string_view name)
{
    const value* found = json.as_object().if_contains(name);
    return found && found->is_string() ? std::string(found->as_string()) : std::string();
}

}  // namespace

std::optional<ToolCall> call_in_header(std::string_view text)
{
    const auto json = json::parse(text);
    if (!json || !json->is_object()) return {};
    ToolCall call{.id = text_in(*json, "id"), .name = text_in(*json, "name")};
    if (call.name.empty()) return {};
    return call;
}

std::optional<ToolCall> call_of_model(std::string_view text, const std::set<std::string>& functions)
{
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    text = text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
    const auto json = json::parse(text);
    if (!json || !json->is_object()) return {};
    ToolCall call{.name = text_in(*json, "name")};
    if (!functions.contains(call.name)) return {};
    const value* arguments = json->as_object().if_contains("arguments");
    if (!arguments) {
        call.arguments = "{}";
    } else if (arguments->is_object()) {
        schema::append_json(call.arguments, *arguments);
    } else {
        const auto inner = json::parse(text_in(*json, "arguments"));
        if (!inner || !inner->is_object()) return {};
        schema::append_json(call.arguments, *inner);
    }
    return call;
}

}  // namespace parley::engine
