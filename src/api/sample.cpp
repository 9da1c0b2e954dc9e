#include "api/sample.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace parley::api {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

bool is_required(const object& schema, std::string_view name)
{
    const auto* required = schema.if_contains("required");
    return required &&
           std::ranges::find(required->as_array(), value(name)) != required->as_array().end();
}

// An id such as "ses_…": an example would not exist on the reader's server.
bool names_something(const object& property)
{
    const auto* examples = property.if_contains("examples");
    if (!examples || !examples->at(0).is_string()) return false;
    const std::string_view text = examples->at(0).as_string();
    return text.size() == 30 && text[3] == '_';
}

bool is_shown(const object& schema, std::string_view name, const object& property,
              fields::Direction direction)
{
    if (is_required(schema, name)) return true;
    return direction == fields::Direction::request && property.contains("examples") &&
           !names_something(property);
}

std::string_view first_type(const object& schema)
{
    const auto* type = schema.if_contains("type");
    if (!type) return {};
    if (type->is_array()) return "null";  // A type that may be null, without an example.
    return type->as_string();
}

}  // namespace

value sample_of(const object& schema, fields::Direction direction)
{
    if (const auto* examples = schema.if_contains("examples")) return examples->at(0);
    if (const auto* given = schema.if_contains("default")) return *given;
    if (const auto* choices = schema.if_contains("enum")) return choices->at(0);
    if (const auto* choices = schema.if_contains("oneOf"))
        return sample_of(choices->at(0).as_object(), direction);
    if (const auto* properties = schema.if_contains("properties")) {
        object sample;
        for (const auto& [name, about] : properties->as_object())
            if (is_shown(schema, name, about.as_object(), direction))
                sample[name] = sample_of(about.as_object(), direction);
        return sample;
    }
    const auto type = first_type(schema);
    if (type == "array") {
        if (const auto* item = schema.at("items").if_object(); item && item->contains("properties"))
            return array{sample_of(*item, direction)};
        return array{};
    }
    if (type == "object") return object{};
    if (type == "boolean") return false;
    if (type == "integer" || type == "number") return 0;
    if (type == "string") return "text";
    return nullptr;
}

}  // namespace parley::api
