// The schema of the events of a response's stream, for the reference.
#pragma once

#include <boost/json/object.hpp>

namespace parley::api {

// Any event, distinguished by `type`.
boost::json::object response_event_schema();

}  // namespace parley::api
