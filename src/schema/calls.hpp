// Values as calls of functions.
#pragma once

#include "schema/schema.hpp"

#include <optional>

namespace parley::schema {

// A call of the first function that takes these arguments; nothing if there is none. `calls` is a
// schema of call_of().
std::optional<boost::json::value> call_with(const Schema& calls, boost::json::value arguments);

}  // namespace parley::schema
