#include "schema/judge.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"
#include "schema/formats.hpp"
#include "schema/limits.hpp"

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
    // A number that is not exact would be written as another one.
    if (std::abs(rough) > static_cast<double>(largest_integer)) return false;
    return (!node.minimum || rough >= static_cast<double>(*node.minimum)) &&
           (!node.maximum || rough <= static_cast<double>(*node.maximum));
}

// The number of characters; texts that are surely long enough are not counted to their end.
bool has_length(std::string_view bytes, const Node& node)
{
    const auto size = static_cast<std::int64_t>(bytes.size());
    constexpr std::int64_t longest_character = 4;
    if (size < node.least || (node.most && size > longest_character * *node.most)) return false;
    if (!node.most && size >= longest_character * node.least) return true;
    const auto characters = static_cast<std::int64_t>(utf8::count(bytes));
    return characters >= node.least && (!node.most || characters <= *node.most);
}

bool same_counted(const value& one, const value& other, std::size_t& steps);

bool same_object(const boost::json::object& one, const boost::json::object& other,
                 std::size_t& steps)
{
    return one.size() == other.size() && std::ranges::all_of(one, [&](const auto& member) {
               const auto* found = other.if_contains(member.key());
               return found && same_counted(member.value(), *found, steps);
           });
}

bool same_counted(const value& one, const value& other, std::size_t& steps)
{
    ++steps;
    if (one.is_number() && other.is_number()) {
        if (one.is_double() || other.is_double())
            return one.to_number<double>() == other.to_number<double>();
        return one == other;
    }
    if (one.kind() != other.kind()) return false;
    if (one.is_array())
        return std::ranges::equal(one.as_array(), other.as_array(),
                                  [&](const value& left, const value& right) {
                                      return same_counted(left, right, steps);
                                  });
    if (one.is_object()) return same_object(one.as_object(), other.as_object(), steps);
    return one == other;
}

// Steps are about equally long: a long text takes several.
std::size_t steps_for(std::size_t bytes) { return bytes / 16; }

}  // namespace

bool is_whole(const value& number)
{
    if (number.is_int64() || number.is_uint64()) return true;
    const auto* rough = number.if_double();
    return rough && std::isfinite(*rough) && std::floor(*rough) == *rough;
}

bool same(const value& one, const value& other)
{
    std::size_t steps = 0;
    return same_counted(one, other, steps);
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
    if (++steps_ > limit_) return false;
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
            return fits_literal(value, node);
        case Kind::any_of:
            return std::ranges::any_of(
                node.branches, [&](NodeIndex branch) { return fits_branch(value, branch); });
    }
    return false;
}

bool Judge::fits_branch(const value& value, NodeIndex branch)
{
    const Kind kind = nodes_[branch].kind;
    const bool is_deep = kind == Kind::any_of || (kind == Kind::array && value.is_array()) ||
                         (kind == Kind::object && value.is_object());
    if (!is_deep) return fits(value, branch);
    ++steps_;
    const Pair pair(&value, branch);
    if (const auto known = branches_.find(pair); known != branches_.end()) return known->second;
    const bool found = fits(value, branch);
    branches_.emplace(pair, found);
    return found;
}

bool Judge::fits_string(const value& text, const Node& node)
{
    if (!text.is_string()) return false;
    const std::string_view bytes(text.as_string().data(), text.as_string().size());
    steps_ += steps_for(bytes.size());
    return has_format(node.format, bytes) && has_length(bytes, node);
}

bool Judge::fits_literal(const value& value, const Node& node)
{
    if (value.is_structured())
        return std::ranges::any_of(
            node.literals, [&](const auto& each) { return same_counted(each, value, steps_); });
    constexpr std::size_t literals_per_step = 8;
    steps_ += node.literals.size() / literals_per_step;
    return std::ranges::any_of(node.literals, [&](const auto& each) { return same(each, value); });
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
    if (!object || object->size() > node.properties.size()) return false;
    std::size_t known = 0;
    for (const Property& property : node.properties) {
        steps_ += 1 + steps_for(property.name.size());
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
