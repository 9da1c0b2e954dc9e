// Reads wire structs (fields.hpp) from JSON bodies and from query or path parameters. All faults
// are recorded at once; use the result only if there are none.
//
//   Faults faults;
//   auto query = fields::read<Query>(body, faults);
//   if (!faults.empty()) co_return validation_failed(std::move(faults));
//
// Codes of faults: required, wrong_type, too_short, too_long, out_of_range, not_allowed,
// unknown_field, unknown_parameter, duplicate_parameter, not_utf8. Beyond the first max_faults they
// are only counted, see validation_failed().
#pragma once

#include "base/utf8.hpp"
#include "fields/fields.hpp"
#include "fields/special.hpp"

#include <boost/json/value.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::fields {

// A query or path parameter, already decoded.
struct Parameter {
    std::string name;
    std::string value;
};

namespace detail {

// True if the value and its items have the right type, so that the rules of the field make sense.
bool read_value(std::string& out, const boost::json::value& value, const FieldPath& at);
bool read_value(bool& out, const boost::json::value& value, const FieldPath& at);
bool read_value(std::int64_t& out, const boost::json::value& value, const FieldPath& at);
bool read_value(double& out, const boost::json::value& value, const FieldPath& at);
bool read_value(boost::json::value& out, const boost::json::value& value, const FieldPath& at);
bool read_value(boost::json::object& out, const boost::json::value& value, const FieldPath& at);

const boost::json::object* as_object(const boost::json::value& value, const FieldPath& at);
const boost::json::array* as_array(const boost::json::value& value, const FieldPath& at);

// True if it is of this kind, a list or an object, and has more than `max` items or entries, which
// is a fault.
bool has_more_than(std::size_t max, const boost::json::value& value, boost::json::kind kind,
                   const FieldPath& at);

void refuse_unknown(const boost::json::object& object, std::span<const std::string_view> known,
                    const FieldPath& at);
void refuse_unknown(std::span<const Parameter> parameters, std::span<const std::string_view> known,
                    const Reading& reading);

// The first parameter with this name; a second one is a fault.
const Parameter* find(std::span<const Parameter> parameters, std::string_view name,
                      const FieldPath& at);

// Converts the text of a parameter to a JSON value of the expected type; a text that cannot be
// converted stays a text, which is then the wrong type.
enum class Expected { text, boolean, integer, number };
boost::json::value from_text(std::string_view text, Expected expected);

template <CustomWireType T>
bool read_value(T& out, const boost::json::value& value, const FieldPath& at)
{
    return out.read(value, at);
}
template <WireStruct T>
bool read_value(T& out, const boost::json::value& value, const FieldPath& at);
template <NamedEnum T>
bool read_value(T& out, const boost::json::value& value, const FieldPath& at);
template <class T>
bool read_value(std::vector<T>& out, const boost::json::value& value, const FieldPath& at);
template <class T>
bool read_value(std::map<std::string, T>& out, const boost::json::value& value,
                const FieldPath& at);

template <NamedEnum T>
bool read_value(T& out, const boost::json::value& value, const FieldPath& at)
{
    std::string name;
    if (!read_value(name, value, at)) return false;
    std::vector<std::string_view> names;
    for (const auto& named : names_of(T{})) {
        names.push_back(named.name);
        if (named.name != name) continue;
        out = named.value;
        return true;
    }
    at.fault("not_allowed", choices(names));
    return false;
}

template <class T>
bool read_value(std::vector<T>& out, const boost::json::value& value, const FieldPath& at)
{
    const auto* items = as_array(value, at);
    if (items == nullptr) return false;
    bool right = true;
    for (std::size_t i = 0; i < items->size(); ++i) {
        T item{};
        right &= read_value(item, (*items)[i], at.item(i));
        out.push_back(std::move(item));
    }
    return right;
}

template <class T>
bool read_value(std::map<std::string, T>& out, const boost::json::value& value, const FieldPath& at)
{
    const auto* entries = as_object(value, at);
    if (entries == nullptr) return false;
    bool right = true;
    for (const auto& [key, entry] : *entries)
        right &= read_value(out[std::string(key)], entry, at.member(key));
    return right;
}

// Before the items are read: a list that is far too long would cost as much as a valid one.
template <class Type, class Field>
bool is_too_long(const Field& field, const boost::json::value& value, const FieldPath& at)
{
    using boost::json::kind;
    constexpr bool is_list = is_a<Type, std::vector>;
    bool too_long = false;
    if constexpr (is_list || is_a<Type, std::map>)
        for_each_rule(field, [&]<class Rule>(const Rule& rule) {
            if constexpr (std::same_as<Rule, Length>)
                too_long |=
                    has_more_than(rule.max, value, is_list ? kind::array : kind::object, at);
        });
    return too_long;
}

template <class Type, class Field>
void read_field(Type& out, const Field& field, const boost::json::value* found, const FieldPath& at)
{
    constexpr bool may_be_null = Inner<Type>::may_be_null;
    // Null means absent wherever a field may be absent.
    if (found == nullptr || (has_default<Field> && !may_be_null && found->is_null())) {
        if constexpr (has_default<Field>)
            for_each_rule(field, [&]<class Rule>(const Rule& rule) {
                if constexpr (is_a<Rule, DefaultsTo>) {
                    Type fallback = rule.value;
                    out = std::move(fallback);
                }
            });
        else if (!may_be_null)
            at.fault("required", "is required");
        return;
    }
    if constexpr (may_be_null) {
        if (found->is_null()) {
            if constexpr (is_a<Type, Nullable>) out = nullptr;
            return;
        }
    }
    using Value = typename Inner<Type>::Type;
    if (is_too_long<Value>(field, *found, at)) return;
    Value value{};
    if (!read_value(value, *found, at)) return;
    for_each_rule(field, [&]<class Rule>(const Rule& rule) {
        if constexpr (!std::derived_from<Rule, Annotation>) rule.check(value, at);
    });
    out = std::move(value);
}

template <WireStruct T>
bool read_value(T& out, const boost::json::value& value, const FieldPath& at)
{
    const auto* object = as_object(value, at);
    if (object == nullptr) return false;
    std::size_t known = 0;
    for_each_field<T>([&](const auto& field) {
        const auto* found = object->if_contains(field.name);
        known += found != nullptr;
        read_field(out.*field.member, field, found, at.member(field.name));
    });
    const bool strict = at.reading().unknown == UnknownFields::refused;
    if (strict && known != object->size()) refuse_unknown(*object, field_names<T>(), at);
    return true;
}

template <class Type>
constexpr Expected expected()
{
    using Value = typename Inner<Type>::Type;
    if constexpr (std::same_as<Value, bool>) return Expected::boolean;
    if constexpr (std::same_as<Value, std::int64_t>) return Expected::integer;
    if constexpr (std::same_as<Value, double>) return Expected::number;
    static_assert(
        std::is_arithmetic_v<Value> || std::same_as<Value, std::string> || NamedEnum<Value>,
        "A parameter is a text, a number, a bool or an enum.");
    return Expected::text;
}

}  // namespace detail

// Reads a body. `at` is the pointer to `value`, if that is a part of the body.
template <WireStruct T>
T read(const boost::json::value& value, Faults& faults,
       UnknownFields unknown = UnknownFields::refused, std::string_view at = "#")
{
    T out{};
    const Reading reading{faults, unknown, Fault::Location::body};
    detail::read_value(out, value, FieldPath(reading, at));
    return out;
}

// Reads parameters. A duplicate parameter is a fault, because it is ambiguous.
template <WireStruct T>
T read_parameters(std::span<const Parameter> parameters, Faults& faults,
                  UnknownFields unknown = UnknownFields::refused)
{
    T out{};
    const Reading reading{faults, unknown, Fault::Location::parameter};
    detail::for_each_field<T>([&](const auto& field) {
        using Type = std::remove_cvref_t<decltype(out.*field.member)>;
        const FieldPath here(reading, field.name);
        auto& member = out.*field.member;
        const Parameter* found = detail::find(parameters, field.name, here);
        if (found == nullptr) {
            detail::read_field(member, field, nullptr, here);
        } else if (!utf8::valid(found->value)) {
            here.fault("not_utf8", "must be valid UTF-8");
        } else {
            const auto value = detail::from_text(found->value, detail::expected<Type>());
            detail::read_field(member, field, &value, here);
        }
    });
    if (unknown == UnknownFields::refused)
        detail::refuse_unknown(parameters, detail::field_names<T>(), reading);
    return out;
}

}  // namespace parley::fields
