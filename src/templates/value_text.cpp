#include "templates/value_text.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

namespace parley::templates {
namespace {

// Boost's writer has 1.5 as 15E-1, which is for programs and not for people or models.
void append(std::string& out, const boost::json::value& value)
{
    switch (value.kind()) {
        case boost::json::kind::null:
            out += "null";
            break;
        case boost::json::kind::bool_:
            out += value.get_bool() ? "true" : "false";
            break;
        case boost::json::kind::int64:
            out += std::to_string(value.get_int64());
            break;
        case boost::json::kind::uint64:
            out += std::to_string(value.get_uint64());
            break;
        case boost::json::kind::double_:
            fmt::format_to(std::back_inserter(out), "{}", value.get_double());
            break;
        case boost::json::kind::string:
            json::append_quoted(out, value.get_string());
            break;
        case boost::json::kind::array: {
            char before = '[';
            for (const auto& item : value.get_array()) {
                out += before;
                append(out, item);
                before = ',';
            }
            out += before == '[' ? "[]" : "]";
            break;
        }
        case boost::json::kind::object: {
            char before = '{';
            for (const auto& member : value.get_object()) {
                out += before;
                json::append_quoted(out, member.key());
                out += ':';
                append(out, member.value());
                before = ',';
            }
            out += before == '{' ? "{}" : "}";
            break;
        }
    }
}

}  // namespace

std::string value_text(const boost::json::value& value)
{
    if (value.is_string()) return std::string(value.get_string());
    std::string text;
    append(text, value);
    return text;
}

}  // namespace parley::templates
