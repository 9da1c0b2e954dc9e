#include "schema/limits.hpp"

#include "schema/formats.hpp"
#include "schema/judge.hpp"
#include "schema/reader.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace parley::schema {
namespace {

using boost::json::object;
using boost::json::value;

constexpr std::array<std::string_view, 7> notes{"title",   "description", "default", "examples",
                                                "$schema", "$id",         "$comment"};
constexpr std::array<std::string_view, 4> integer_bounds{"minimum", "maximum", "exclusiveMinimum",
                                                         "exclusiveMaximum"};
constexpr std::array<std::string_view, 14> keywords{
    "type",      "properties", "required", "additionalProperties",
    "items",     "minItems",   "maxItems", "enum",
    "const",     "anyOf",      "$ref",     "format",
    "minLength", "maxLength"};

constexpr std::array<std::pair<std::string_view, Kind>, 7> kinds_by_name{
    {{"null", Kind::null},
     {"boolean", Kind::boolean},
     {"integer", Kind::integer},
     {"number", Kind::number},
     {"string", Kind::string},
     {"array", Kind::array},
     {"object", Kind::object}}};

template <class List, class Item>
bool has(const List& list, const Item& item)
{
    return std::ranges::find(list, item) != std::ranges::end(list);
}

std::vector<Kind> implied_kinds(const object& members)
{
    std::vector<Kind> kinds;
    const auto implies = [&](Kind kind, auto... names) {
        if ((members.contains(names) || ...)) kinds.push_back(kind);
    };
    implies(Kind::object, "properties", "required", "additionalProperties");
    implies(Kind::array, "items", "minItems", "maxItems");
    implies(Kind::string, "minLength", "maxLength", "format");
    return kinds;
}

std::vector<Kind> named_kinds(const value& type, const fields::FieldPath& at)
{
    std::vector<Kind> kinds;
    const boost::json::array names = type.is_array() ? type.as_array() : boost::json::array{type};
    if (names.empty()) at.fault(unsupported_schema, "must not be empty");
    for (const value& name : names) {
        const std::string_view text = name.is_string() ? view(name.as_string()) : "";
        const auto* found =
            std::ranges::find(kinds_by_name, text, [](const auto& each) { return each.first; });
        if (found == kinds_by_name.end())
            at.fault(unsupported_schema, "must be a JSON type, or a list of JSON types");
        else if (!has(kinds, found->second))
            kinds.push_back(found->second);
    }
    return kinds;
}

std::optional<std::int64_t> count(const object& members, std::string_view name, std::int64_t most,
                                  const fields::FieldPath& at)
{
    const auto* found = members.if_contains(name);
    if (!found) return {};
    if (is_whole(*found)) {
        const auto number = found->to_number<double>();
        if (number >= 0 && number <= static_cast<double>(most))
            return static_cast<std::int64_t>(number);
    }
    at.member(name).fault(unsupported_schema,
                          "must be a whole number from 0 to " + std::to_string(most));
    return {};
}

void read_counts(Node& node, const object& members, std::string_view least, std::string_view most,
                 std::int64_t bound, const fields::FieldPath& at)
{
    node.least = count(members, least, bound, at).value_or(0);
    node.most = count(members, most, bound, at);
    if (node.most && *node.most < node.least)
        at.member(most).fault(unsupported_schema, "is less than " + std::string(least));
}

// The nearest integer that the bound allows. Nothing if it is missing or invalid.
std::optional<std::int64_t> bound(const object& members, std::string_view name, double inward,
                                  bool exclusive, const fields::FieldPath& at)
{
    const auto* found = members.if_contains(name);
    if (!found) return {};
    if (!found->is_number()) {
        at.member(name).fault(unsupported_schema, "must be a number");
        return {};
    }
    const auto number = found->to_number<double>();
    if (std::abs(number) > static_cast<double>(largest_integer)) {
        at.member(name).fault(unsupported_schema,
                              "must be between -9007199254740991 and "
                              "9007199254740991");
        return {};
    }
    const double rounded = inward > 0 ? std::ceil(number) : std::floor(number);
    const bool steps = exclusive && rounded == number;
    return static_cast<std::int64_t>(rounded + (steps ? inward : 0));
}

void read_range(Node& node, const object& members, const fields::FieldPath& at)
{
    const auto least = bound(members, "minimum", 1, false, at);
    const auto above = bound(members, "exclusiveMinimum", 1, true, at);
    node.minimum = least && above ? std::max(least, above) : least ? least : above;
    const auto most = bound(members, "maximum", -1, false, at);
    const auto below = bound(members, "exclusiveMaximum", -1, true, at);
    node.maximum = most && below ? std::min(most, below) : most ? most : below;
    if (written_integers(node.minimum, node.maximum).is_empty())
        at.fault(unsupported_schema, "has no integer between its bounds");
}

void read_string(Node& node, const object& members, const fields::FieldPath& at)
{
    read_counts(node, members, "minLength", "maxLength", max_length, at);
    const auto* named = members.if_contains("format");
    if (!named) return;
    const auto format = named->is_string() ? format_named(view(named->as_string())) : std::nullopt;
    if (!format)
        at.member("format").fault(unsupported_keyword, "must be date, time, date-time or uuid");
    else if (node.least > 0 || node.most)
        at.member("format").fault(unsupported_keyword, "is not supported beside a length");
    node.format = format.value_or(Format::none);
}

}  // namespace

bool is_note(std::string_view keyword) { return has(notes, keyword); }

bool is_known(std::string_view keyword)
{
    return is_note(keyword) || has(keywords, keyword) || has(integer_bounds, keyword);
}

std::vector<Kind> kinds_of(const object& members, const fields::FieldPath& at)
{
    const auto* type = members.if_contains("type");
    std::vector<Kind> kinds = type ? named_kinds(*type, at.member("type")) : implied_kinds(members);
    if (!type && kinds.size() > 1) at.fault(unsupported_schema, "must have a type");
    const bool counts = has(kinds, Kind::integer) && !has(kinds, Kind::number);
    for (const std::string_view name : integer_bounds)
        if (members.contains(name) && !counts)
            at.member(name).fault(unsupported_keyword, "is supported for integers only");
    if (members.contains("format") && !has(kinds, Kind::string))
        at.member("format").fault(unsupported_keyword, "is supported for strings only");
    return kinds;
}

void read_limits(Node& node, const object& members, const fields::FieldPath& at)
{
    if (node.kind == Kind::integer) read_range(node, members, at);
    if (node.kind == Kind::string) read_string(node, members, at);
    if (node.kind == Kind::array) read_counts(node, members, "minItems", "maxItems", max_items, at);
}

std::string unescaped(std::string_view pointer)
{
    std::string text;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        const std::string_view rest = pointer.substr(i);
        if (rest.starts_with("~0") || rest.starts_with("~1")) {
            text += rest[1] == '0' ? '~' : '/';
            ++i;
        } else if (rest.size() > 2 && rest[0] == '%') {
            const std::string digits(rest.substr(1, 2));
            text += static_cast<char>(std::strtol(digits.c_str(), nullptr, 16));
            i += 2;
        } else {
            text += rest[0];
        }
    }
    return text;
}

}  // namespace parley::schema
