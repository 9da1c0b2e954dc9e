// Describes a wire struct (fields.hpp) for the reference: JSON Schema 2020-12, as in OpenAPI 3.1,
// from the same declaration that fields/read.hpp checks.
#pragma once

#include "fields/notes.hpp"
#include "fields/special.hpp"
#include "fields/write.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace parley::fields {

// In requests, optional fields may be absent, and unknown fields are refused. Responses have every
// field that is not omitted, possibly as null; fields may be added, and clients must ignore unknown
// ones.
enum class Direction { request, response };

// A struct with a SchemaInfo has it as "title" and "summary".
template <WireStruct T>
boost::json::object schema(Direction direction = Direction::request);

namespace detail {

// Adds null to the types, and to the choices if there are any.
void allow_null(boost::json::object& schema);

template <class T>
boost::json::object schema_of(Direction direction)
{
    if constexpr (Inner<T>::may_be_null) {
        auto about = schema_of<typename Inner<T>::Type>(direction);
        allow_null(about);
        return about;
    } else if constexpr (WireStruct<T>) {
        return schema<T>(direction);
    } else if constexpr (CustomWireType<T>) {
        if constexpr (requires { T::schema(direction); })
            return T::schema(direction);
        else
            return T::schema();
    } else if constexpr (std::same_as<T, std::string>) {
        return {{"type", "string"}};
    } else if constexpr (std::same_as<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::same_as<T, std::int64_t>) {
        return {{"type", "integer"}, {"format", "int64"}};
    } else if constexpr (std::same_as<T, double>) {
        return {{"type", "number"}, {"format", "double"}};
    } else if constexpr (NamedEnum<T>) {
        boost::json::array names;
        for (const auto& named : names_of(T{})) names.emplace_back(named.name);
        return {{"type", "string"}, {"enum", std::move(names)}};
    } else if constexpr (is_a<T, std::vector>) {
        return {{"type", "array"}, {"items", schema_of<typename T::value_type>(direction)}};
    } else if constexpr (is_a<T, std::map>) {
        return {{"type", "object"},
                {"additionalProperties", schema_of<typename T::mapped_type>(direction)}};
    } else if constexpr (std::same_as<T, boost::json::object>) {
        return {{"type", "object"}};
    } else if constexpr (std::same_as<T, boost::json::value>) {
        return {};
    } else {
        static_assert(never<T>, "A member of this type cannot travel: see fields.hpp.");
    }
}

// A default or an example, with whole numbers as people write them.
template <class T>
boost::json::value note(const T& value)
{
    if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>)
        return json_number(static_cast<double>(value));
    else
        return to_json(value);
}

template <class Type, class Field>
boost::json::object schema_of_field(const Field& field, Direction direction)
{
    using Value = typename Inner<Type>::Type;
    auto about = schema_of<Value>(direction);
    about["description"] = field.meaning;
    for_each_rule(field, [&]<class Rule>(const Rule& rule) {
        if constexpr (is_a<Rule, DefaultsTo>) {
            const Value value = rule.value;
            about["default"] = note(value);
        } else if constexpr (is_a<Rule, Example>) {
            about["examples"] = boost::json::array{note(rule.value)};
        } else if constexpr (requires { rule.describe(about); }) {
            rule.describe(about);
        }
    });
    const bool is_request = direction == Direction::request;
    const bool may_be_null =
        is_request ? Inner<Type>::may_be_null || has_default<Field>
                   : Inner<Type>::may_be_null && !omits_absent<Field>;  // Left out instead.
    if (may_be_null) allow_null(about);
    return about;
}

template <class Type, class Field>
inline constexpr bool must_be_given = !Inner<Type>::may_be_null && !has_default<Field>;
template <class Type, class Field>
inline constexpr bool is_always_sent = !is_a<Type, Nullable> && !omits_absent<Field>;

}  // namespace detail

template <WireStruct T>
boost::json::object schema(Direction direction)
{
    boost::json::object properties;
    boost::json::array required;
    detail::for_each_field<T>([&]<class Field>(const Field& field) {
        using Type = std::remove_cvref_t<decltype(std::declval<T&>().*field.member)>;
        properties[field.name] = detail::schema_of_field<Type>(field, direction);
        if (direction == Direction::request ? detail::must_be_given<Type, Field>
                                            : detail::is_always_sent<Type, Field>)
            required.emplace_back(field.name);
    });
    boost::json::object about{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) about["required"] = std::move(required);
    if (direction == Direction::request) about["additionalProperties"] = false;
    if constexpr (requires { T::schema_info; }) {
        const SchemaInfo info = T::schema_info;
        about["title"] = info.name;
        if (info.is_input_too && direction == Direction::request)
            about["title"] = std::string(info.name) + "Input";
        about["summary"] = info.meaning;
    }
    return about;
}

// For a field of free JSON: it has the form of this struct.
template <WireStruct T>
struct ShapedAs : Annotation {
    void describe(boost::json::object& about) const
    {
        const auto meaning = about["description"];
        about = schema<T>(Direction::response);
        about["description"] = meaning;
    }
};
template <WireStruct T>
inline constexpr ShapedAs<T> shaped_as;

}  // namespace parley::fields
