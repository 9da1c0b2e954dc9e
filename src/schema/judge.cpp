#include "schema/judge.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"
#include "schema/formats.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace parley::schema {
namespace {

using boost::json::value;

bool fits_integer(const value& number, const Node& node)
{
    if (!is_whole(number)) return false;
    if (const auto* whole = number.if_int64())
        return (!node.minimum || *whole >= *node.minimum) &&
               (!node.maximum || *whole <= *node.maximum);
    if (number.is_uint64()) return !node.maximum;  // Above every possible maximum.
    const double rough = number.as_double();
    return (!node.minimum || rough >= static_cast<double>(*node.minimum)) &&
           (!node.maximum || rough <= static_cast<double>(*node.maximum));
}

bool fits_string(const value& text, const Node& node)
{
    if (!text.is_string()) return false;
    const std::string_view bytes(text.as_string().data(), text.as_string().size());
    if (!has_format(node.format, bytes)) return false;
    if (node.least == 0 && !node.most) return true;
    const auto characters = static_cast<std::int64_t>(utf8::count(bytes));
    return characters >= node.least && (!node.most || characters <= *node.most);
}

bool same_object(const boost::json::object& one, const boost::json::object& other)
{
    return one.size() == other.size() && std::ranges::all_of(one, [&](const auto& member) {
               const auto* found = other.if_contains(member.key());
               return found && same(member.value(), *found);
           });
}

}  // namespace

bool is_whole(const value& number)
{
    if (number.is_int64() || number.is_uint64()) return true;
    const auto* rough = number.if_double();
    return rough && std::isfinite(*rough) && std::floor(*rough) == *rough;
}

bool same(const value& one, const value& other)
{
    if (one.is_number() && other.is_number()) {
        if (one.is_double() || other.is_double())
            return one.to_number<double>() == other.to_number<double>();
        return one == other;
    }
    if (one.kind() != other.kind()) return false;
    if (one.is_array()) return std::ranges::equal(one.as_array(), other.as_array(), same);
    if (one.is_object()) return same_object(one.as_object(), other.as_object());
    return one == other;
}

std::size_t depth_of(const value& json)
{
    std::size_t below = 0;
    if (const auto* array = json.if_array())
        for (const value& item : *array) below = std::max(below, depth_of(item));
    else if (const auto* object = json.if_object())
        for (const auto& member : *object) below = std::max(below, depth_of(member.value()));
    else
        return 0;
    return below + 1;
}

bool Judge::fits(const value& value, NodeIndex index)
{
    if (++steps_ > max_steps) return false;
    const Node& node = nodes_[index];
    switch (node.kind) {
        case Kind::any:
            return true;
        case Kind::any_object:
            return value.is_object();
        case Kind::null:
            return value.is_null();
        case Kind::boolean:
            return value.is_bool();
        case Kind::integer:
            return fits_integer(value, node);
        case Kind::number:
            return value.is_number();
        case Kind::string:
            return fits_string(value, node);
        case Kind::array:
            return fits_array(value, node);
        case Kind::object:
            return fits_object(value, node);
        case Kind::literals:
            steps_ += node.literals.size();
            return std::ranges::any_of(node.literals,
                                       [&](const auto& each) { return same(each, value); });
        case Kind::any_of:
            return std::ranges::any_of(node.branches,
                                       [&](NodeIndex branch) { return fits(value, branch); });
    }
    return false;
}

bool Judge::fits_array(const value& value, const Node& node)
{
    const auto* array = value.if_array();
    if (!array) return false;
    const auto size = static_cast<std::int64_t>(array->size());
    if (size < node.least || (node.most && size > *node.most)) return false;
    return !node.items ||
           std::ranges::all_of(*array, [&](const auto& item) { return fits(item, *node.items); });
}

bool Judge::fits_object(const value& value, const Node& node)
{
    const auto* object = value.if_object();
    if (!object) return false;
    std::size_t known = 0;
    for (const Property& property : node.properties) {
        ++steps_;
        const auto* member = object->if_contains(property.name);
        if (!member && property.required) return false;
        if (!member) continue;
        if (!fits(*member, property.node)) return false;
        ++known;
    }
    return known == object->size();
}

void append_json(std::string& out, const value& value)
{
    if (const auto* object = value.if_object()) {
        out += '{';
        for (const auto& member : *object) {
            if (&member != object->begin()) out += ',';
            json::append_quoted(out, {member.key().data(), member.key().size()});
            out += ':';
            append_json(out, member.value());
        }
        out += '}';
    } else if (const auto* array = value.if_array()) {
        out += '[';
        for (const auto& item : *array) {
            if (&item != array->begin()) out += ',';
            append_json(out, item);
        }
        out += ']';
    } else if (const auto* text = value.if_string()) {
        json::append_quoted(out, {text->data(), text->size()});
    } else if (value.is_number()) {
        char digits[32];
        const auto write = [&](auto number) {
            out.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
        };
        if (value.is_int64()) write(value.as_int64());
        if (value.is_uint64()) write(value.as_uint64());
        if (value.is_double()) write(value.as_double());
    } else {
        out += value.is_null() ? "null" : value.as_bool() ? "true" : "false";
    }
}

}  // namespace parley::schema
