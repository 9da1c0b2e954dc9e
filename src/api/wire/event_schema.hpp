// What travels in event streams, as the reference tells of it.
#pragma once

#include <boost/json/object.hpp>

namespace parley::api {

// Any event of a run's stream, told apart by `type`.
boost::json::object event_schema();

// The body of a stream: text, whose events have such data.
boost::json::object event_stream_schema(boost::json::object data);

}  // namespace parley::api
