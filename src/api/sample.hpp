// Examples for the reference, put together from the examples of single fields.
#pragma once

#include "fields/schema.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace parley::api {

// An example value for a schema of fields::schema(). In requests (Direction::request), ids of
// existing objects are left out, so that the example can be sent unchanged.
boost::json::value sample_of(const boost::json::object& schema, fields::Direction direction);

}  // namespace parley::api
