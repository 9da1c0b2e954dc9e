// Writes wire structs (fields.hpp) as JSON: fields in the order of their declaration, an empty
// optional as null unless its field says omit_if_absent, an absent Nullable left out.
//
// write() makes the text that is sent; to_json() the same as a value, to be put into another.
#pragma once

#include "base/json.hpp"
#include "fields/fields.hpp"
#include "fields/special.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley::fields {

// The name of an enum's value. One that names_of() forgot is a bug: std::logic_error.
template <NamedEnum T>
constexpr std::string_view name_of(T value)
{
    for (const auto& named : names_of(T{}))
        if (named.value == value) return named.name;
    throw std::logic_error("A value of an enum has no name.");
}

namespace detail {

template <class Field, class T>
constexpr bool is_left_out(const T& value)
{
    if constexpr (is_a<T, Nullable>)
        return !value.given();
    else if constexpr (omits_absent<Field>)
        return !value.has_value();
    else
        return false;
}

// Calls visit(name, member) for each field that is to be written.
template <WireStruct T, class Visit>
void for_each_written(const T& value, Visit visit)
{
    for_each_field<T>([&](const auto& field) {
        const auto& member = value.*field.member;
        if (!is_left_out<std::remove_cvref_t<decltype(field)>>(member)) visit(field.name, member);
    });
}

template <class Number>
void append_number(std::string& out, Number number)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    out.append(text.data(), end);
}

// Every item is followed by a comma; the bracket replaces the last one.
inline void close(std::string& out, char bracket)
{
    if (out.back() == ',')
        out.back() = bracket;
    else
        out += bracket;
}

template <class T>
void append(std::string& out, const T& value)
{
    const auto append_member = [&](std::string_view name, const auto& member) {
        json::append_quoted(out, name);
        out += ':';
        append(out, member);
        out += ',';
    };
    if constexpr (Inner<T>::may_be_null) {
        if (value)
            append(out, *value);
        else
            out += "null";
    } else if constexpr (WireStruct<T>) {
        out += '{';
        for_each_written(value, append_member);
        close(out, '}');
    } else if constexpr (std::same_as<T, std::string>) {
        json::append_quoted(out, value);
    } else if constexpr (std::same_as<T, bool>) {
        out += value ? "true" : "false";
    } else if constexpr (std::same_as<T, std::int64_t>) {
        append_number(out, value);
    } else if constexpr (std::same_as<T, double>) {
        if (std::isfinite(value))
            append_number(out, value);
        else
            out += "null";  // JSON has no infinity and no NaN.
    } else if constexpr (NamedEnum<T>) {
        json::append_quoted(out, name_of(value));
    } else if constexpr (is_a<T, std::vector>) {
        out += '[';
        for (const auto& item : value) {
            append(out, item);
            out += ',';
        }
        close(out, ']');
    } else if constexpr (is_a<T, std::map>) {
        out += '{';
        for (const auto& [key, item] : value) append_member(key, item);
        close(out, '}');
    } else if constexpr (CustomWireType<T>) {
        out += boost::json::serialize(value.to_json());
    } else if constexpr (is_free_json<T>) {
        out += boost::json::serialize(value);
    } else {
        static_assert(never<T>, "A member of this type cannot travel: see fields.hpp.");
    }
}

}  // namespace detail

template <class T>
boost::json::value to_json(const T& value)
{
    if constexpr (detail::Inner<T>::may_be_null) {
        return value ? to_json(*value) : boost::json::value();
    } else if constexpr (WireStruct<T>) {
        boost::json::object out;
        detail::for_each_written(
            value, [&](std::string_view name, const auto& member) { out[name] = to_json(member); });
        return out;
    } else if constexpr (CustomWireType<T>) {
        return value.to_json();
    } else if constexpr (NamedEnum<T>) {
        return boost::json::string(name_of(value));
    } else if constexpr (detail::is_a<T, std::vector>) {
        boost::json::array out;
        for (const auto& item : value) out.push_back(to_json<typename T::value_type>(item));
        return out;
    } else if constexpr (detail::is_a<T, std::map>) {
        boost::json::object out;
        for (const auto& [key, item] : value) out[key] = to_json(item);
        return out;
    } else if constexpr (std::same_as<T, double>) {
        return std::isfinite(value) ? boost::json::value(value) : boost::json::value();
    } else {
        return boost::json::value(value);
    }
}

template <WireStruct T>
std::string write(const T& value)
{
    std::string out;
    detail::append(out, value);
    return out;
}

// For values that are composed of several parts.
template <WireStruct T>
void append(std::string& out, const T& value)
{
    detail::append(out, value);
}

}  // namespace parley::fields
