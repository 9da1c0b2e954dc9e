// Examples for the reference, put together from the examples of single fields.
#pragma once

#include "fields/schema.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace parley::api {

// Something that fits a schema as fields::schema() makes it. Of what we take in (Way::in), ids of
// things that only exist elsewhere are left out, so that it can be sent as it is.
boost::json::value sample_of(const boost::json::object& schema, fields::Way way);

}  // namespace parley::api
