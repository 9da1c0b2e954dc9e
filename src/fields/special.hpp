// A type that reads, describes and writes itself, because a declaration of fields (fields.hpp)
// cannot: for example, a text or a list of parts.
#pragma once

#include "fields/path.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <concepts>
#include <utility>

namespace parley::fields {

enum class Direction;  // fields/schema.hpp

template <class T>
concept CustomWireType =
    requires(T& value, const T& written, const boost::json::value& json, const FieldPath& at) {
        { value.read(json, at) } -> std::same_as<bool>;  // As read_value in fields/read.hpp.
        { written.to_json() } -> std::same_as<boost::json::value>;
    } && (requires {
        { T::schema() } -> std::same_as<boost::json::object>;
    } || requires(Direction direction) {
        { T::schema(direction) } -> std::same_as<boost::json::object>;
    });

}  // namespace parley::fields
