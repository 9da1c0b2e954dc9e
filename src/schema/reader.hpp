// Reads the JSON of a schema, and refuses every keyword that is not known.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

inline constexpr std::string_view unsupported_keyword = "unsupported_keyword";
inline constexpr std::string_view unsupported_schema = "unsupported_schema";

// Sound only if it has noted no fault.
Schema read_schema(const boost::json::value& json, const fields::FieldPath& at);

}  // namespace parley::schema
