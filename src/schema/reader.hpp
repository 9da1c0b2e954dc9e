// Reads the JSON of a schema, and refuses unknown keywords.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

// Valid only if no fault was recorded.
Schema read_schema(const boost::json::value& json, const fields::FieldPath& at);

}  // namespace parley::schema
