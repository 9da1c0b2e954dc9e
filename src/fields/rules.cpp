#include "fields/rules.hpp"

#include <cmath>

namespace parley::fields {
namespace {

std::string plural(std::size_t count, std::string_view unit)
{
    std::string text = std::to_string(count) + ' ';
    if (count == 1) return text.append(unit);
    return text.append(unit == "entry" ? "entries" : std::string(unit) + 's');
}

}  // namespace

namespace detail {

void check_count(std::size_t count, std::size_t min, std::size_t max, std::string_view unit,
                 const FieldPath& at)
{
    if (count < min)
        at.fault("too_short",
                 min == 1 ? "must not be empty" : "must have at least " + plural(min, unit));
    else if (count > max)
        at.fault("too_long", "must have at most " + plural(max, unit));
}

std::string choices(std::span<const std::string_view> names)
{
    std::string text = "must be one of";
    for (const std::string_view name : names) text.append(" \"").append(name).append("\",");
    text.pop_back();
    return text;
}

boost::json::value json_number(double number)
{
    constexpr double exact = 9007199254740992;  // Whole numbers up to here, without "E".
    if (std::abs(number) < exact && number == std::floor(number))
        return static_cast<std::int64_t>(number);
    return number;
}

}  // namespace detail

void Length::describe(boost::json::object& schema) const
{
    const auto* type = schema.if_contains("type");
    if (type != nullptr && *type == "array") {
        schema["minItems"] = min;
        schema["maxItems"] = max;
    } else if (type != nullptr && *type == "object") {
        schema["minProperties"] = min;
        schema["maxProperties"] = max;
    } else {
        // JSON Schema counts characters, and each has one to four bytes: the schema allows all
        // valid texts, and the description states the exact limit.
        schema["minLength"] = (min + 3) / 4;
        schema["maxLength"] = max;
        auto& text = schema["description"];
        std::string meaning = text.is_string() ? std::string(text.get_string()) + ' ' : "";
        text = meaning + std::to_string(min) + " to " + plural(max, "byte") + " of UTF-8.";
    }
}

void Characters::describe(boost::json::object& schema) const
{
    schema["minLength"] = min;
    schema["maxLength"] = max;
}

void Range::check(double number, const FieldPath& at) const
{
    const bool low = above_min ? number <= min : number < min;
    if (!low && number <= max) return;
    at.fault("out_of_range",
             above_min ? "must be above " + number_text(min) + " and at most " + number_text(max)
                       : "must be from " + number_text(min) + " to " + number_text(max));
}

void Range::describe(boost::json::object& schema) const
{
    schema[above_min ? "exclusiveMinimum" : "minimum"] = detail::json_number(min);
    schema["maximum"] = detail::json_number(max);
}

}  // namespace parley::fields
