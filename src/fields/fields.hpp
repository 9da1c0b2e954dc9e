// A wire struct, the content of a request or response, declares each of its fields once, with its
// meaning and its limits:
//
//   struct Query {
//       std::string message;
//       std::optional<double> temperature;
//
//       static constexpr auto fields()
//       {
//           using namespace fields;
//           return std::tuple(
//               field("message", &Query::message, "The message.", length(1, 131072)),
//               field("temperature", &Query::temperature, "Sampling temperature; 0 is most
//               deterministic.", range(0, 2)));
//       }
//   };
//
// read() (fields/read.hpp) checks a body or parameters by this declaration, schema()
// (fields/schema.hpp) documents it, write() (fields/write.hpp) sends it, so that they always agree.
// The rules that a field may have are in fields/rules.hpp.
//
// A member is a std::string, bool, std::int64_t, double, an enum with names, another wire struct, a
// std::vector of these, a std::map of texts, or free JSON (boost::json::value, object). A
// std::optional may be absent, and null means the same; a Nullable tells absent from null; a field
// with defaults_to() may be absent, or null; all others are required.
#pragma once

#include "fields/rules.hpp"

#include <boost/json/fwd.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::fields {

template <class Struct, class Type, class... Rules>
struct Field {
    std::string_view name;
    Type Struct::* member;
    std::string_view meaning;
    std::tuple<Rules...> rules;
};

template <class Struct, class Type, class... Rules>
constexpr auto field(std::string_view name, Type Struct::* member, std::string_view meaning,
                     Rules... rules)
{
    return Field<Struct, Type, Rules...>{name, member, meaning, std::tuple(rules...)};
}

template <class T>
concept WireStruct = requires { T::fields(); };

// An enum is sent by name. A function beside it, found by its argument, has the names:
//
//   constexpr auto names_of(Role)
//   {
//       return std::array{fields::Named{Role::member, "member"}, fields::Named{Role::admin,
//       "admin"}};
//   }
template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};
template <class Enum>
Named(Enum, const char*) -> Named<Enum>;

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires { names_of(T{}); };

// A value that may be absent, null, or set: in a PATCH, "do not change", "clear" and "set".
template <class T>
class Nullable {
public:
    Nullable() = default;
    Nullable(std::nullptr_t) : given_(true) {}
    template <std::convertible_to<T> Value>
    Nullable(Value&& value) : given_(true), value_(std::forward<Value>(value))
    {
    }

    bool given() const { return given_; }
    bool is_null() const { return given_ && !value_; }

    // False if it is absent or null.
    explicit operator bool() const { return value_.has_value(); }
    // Only if it has a value, as with std::optional.
    const T& operator*() const { return *value_; }    // NOLINT(bugprone-unchecked-optional-access)
    const T* operator->() const { return &*value_; }  // NOLINT(bugprone-unchecked-optional-access)

private:
    bool given_ = false;
    std::optional<T> value_;
};

namespace detail {

// The type inside an optional or Nullable.
template <class T>
struct Inner {
    using Type = T;
    static constexpr bool may_be_null = false;
};
template <class T>
struct Inner<std::optional<T>> {
    using Type = T;
    static constexpr bool may_be_null = true;
};
template <class T>
struct Inner<Nullable<T>> : Inner<std::optional<T>> {};

template <class T, template <class...> class Kind>
inline constexpr bool is_a = false;
template <template <class...> class Kind, class... Arguments>
inline constexpr bool is_a<Kind<Arguments...>, Kind> = true;

template <class T>
inline constexpr bool is_free_json =
    std::same_as<T, boost::json::value> || std::same_as<T, boost::json::object>;

template <class T>
inline constexpr bool never = false;

// Calls visit(field) for each field of T, in the order of declaration.
template <WireStruct T, class Visit>
constexpr void for_each_field(Visit visit)
{
    std::apply([&](const auto&... field) { (visit(field), ...); }, T::fields());
}

template <WireStruct T>
constexpr auto field_names()
{
    return std::apply(
        [](const auto&... field) {
            return std::array<std::string_view, sizeof...(field)>{field.name...};
        },
        T::fields());
}

template <class Field, class Visit>
constexpr void for_each_rule(const Field& field, Visit visit)
{
    std::apply([&](const auto&... rule) { (visit(rule), ...); }, field.rules);
}

template <class Field>
inline constexpr bool has_default = false;
template <class Struct, class Type, class... Rules>
inline constexpr bool has_default<Field<Struct, Type, Rules...>> = (is_a<Rules, DefaultsTo> || ...);

template <class Field>
inline constexpr bool omits_absent = false;
template <class Struct, class Type, class... Rules>
inline constexpr bool omits_absent<Field<Struct, Type, Rules...>> =
    (std::same_as<Rules, OmitIfAbsent> || ...);

}  // namespace detail
}  // namespace parley::fields
