// The rules of a field. Each one checks a value and describes itself to the reference in the words
// of JSON Schema; one that does not fit its field's type does not compile. Annotations only
// describe.
#pragma once

#include "base/utf8.hpp"
#include "fields/path.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace parley::fields {

struct Annotation {};

namespace detail {

// Checks that a count lies between two bounds, and says so in the unit that was counted.
void check_count(std::size_t count, std::size_t min, std::size_t max, std::string_view unit,
                 const FieldPath& at);

// must be one of "a", "b"
std::string choices(std::span<const std::string_view> names);

boost::json::value json_number(double number);

}  // namespace detail

// How many bytes a text has, or how many items a list or a map.
struct Length {
    std::size_t min;
    std::size_t max;

    void check(std::string_view text, const FieldPath& at) const
    {
        detail::check_count(text.size(), min, max, "byte", at);
    }
    template <class T>
    void check(const std::vector<T>& items, const FieldPath& at) const
    {
        detail::check_count(items.size(), min, max, "item", at);
    }
    template <class K, class V>
    void check(const std::map<K, V>& entries, const FieldPath& at) const
    {
        detail::check_count(entries.size(), min, max, "entry", at);
    }
    void describe(boost::json::object& schema) const;
};
constexpr Length length(std::size_t min, std::size_t max) { return {min, max}; }

// How many characters (code points) a text has.
struct Characters {
    std::size_t min;
    std::size_t max;

    void check(std::string_view text, const FieldPath& at) const
    {
        detail::check_count(utf8::count(text), min, max, "character", at);
    }
    void describe(boost::json::object& schema) const;
};
constexpr Characters characters(std::size_t min, std::size_t max) { return {min, max}; }

// From min to max; `above` leaves min itself out.
struct Range {
    double min;
    double max;
    bool above_min = false;

    void check(double number, const FieldPath& at) const;
    void check(std::int64_t number, const FieldPath& at) const
    {
        check(static_cast<double>(number), at);  // Exact: read_value() refuses larger numbers.
    }
    void describe(boost::json::object& schema) const;
};
constexpr Range range(double min, double max) { return {min, max}; }
constexpr Range above(double min, double max) { return {min, max, true}; }

// One of a few texts. If the program distinguishes them, an enum with names is better.
template <std::size_t Count>
struct OneOf {
    std::array<std::string_view, Count> allowed;

    void check(std::string_view text, const FieldPath& at) const
    {
        for (const std::string_view one : allowed)
            if (text == one) return;
        at.fault("not_allowed", detail::choices(allowed));
    }
    void describe(boost::json::object& schema) const
    {
        schema["enum"] = boost::json::array(allowed.begin(), allowed.end());
    }
};
template <class... Texts>
constexpr OneOf<sizeof...(Texts)> one_of(Texts... texts)
{
    return {{std::string_view(texts)...}};
}

// Rules for each item of a list, or for each value of a map.
template <class... Rules>
struct Each {
    std::tuple<Rules...> rules;

    template <class T>
    void check(const std::vector<T>& items, const FieldPath& at) const
    {
        for (std::size_t i = 0; i < items.size() && !at.enough(); ++i) apply(items[i], at.item(i));
    }
    template <class K, class V>
    void check(const std::map<K, V>& entries, const FieldPath& at) const
    {
        for (const auto& [key, value] : entries) {
            if (at.enough()) return;
            apply(value, at.member(key));
        }
    }
    void describe(boost::json::object& schema) const
    {
        const bool list = schema.contains("items");
        auto& about = schema[list ? "items" : "additionalProperties"].as_object();
        std::apply([&](const auto&... rule) { (rule.describe(about), ...); }, rules);
    }

private:
    template <class T>
    void apply(const T& value, const FieldPath& at) const
    {
        std::apply([&](const auto&... rule) { (rule.check(value, at), ...); }, rules);
    }
};
template <class... Rules>
constexpr Each<Rules...> each(Rules... rules)
{
    return {std::tuple(rules...)};
}

// Rules for the keys of a map.
template <class... Rules>
struct Keys {
    std::tuple<Rules...> rules;

    template <class V>
    void check(const std::map<std::string, V>& entries, const FieldPath& at) const
    {
        for (const auto& [key, unused] : entries) {
            if (at.enough()) return;
            const FieldPath here = at.member(key).as_key();
            std::apply([&](const auto&... rule) { (rule.check(key, here), ...); }, rules);
        }
    }
    void describe(boost::json::object& schema) const
    {
        boost::json::object about;
        std::apply([&](const auto&... rule) { (rule.describe(about), ...); }, rules);
        schema["propertyNames"] = std::move(about);
    }
};
template <class... Rules>
constexpr Keys<Rules...> keys(Rules... rules)
{
    return {std::tuple(rules...)};
}

// The value of a field that is absent: defaults_to(20), defaults_to("x"), or defaults_to(empty) for
// lists and maps.
struct Empty {
    template <class T>
    constexpr operator T() const
    {
        return T{};
    }
};
inline constexpr Empty empty;

template <class T>
struct DefaultsTo : Annotation {
    T value;
};
template <class T>
constexpr DefaultsTo<T> defaults_to(T value)
{
    return {{}, value};
}

template <class T>
struct Example : Annotation {
    T value;
};
template <class T>
constexpr Example<T> example(T value)
{
    return {{}, value};
}

// An empty optional is written as null, unless its field has this: then it is left out.
struct OmitIfAbsent : Annotation {};
inline constexpr OmitIfAbsent omit_if_absent;

}  // namespace parley::fields
