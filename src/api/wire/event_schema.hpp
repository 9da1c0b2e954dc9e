// The schemas of event streams, for the reference.
#pragma once

#include <boost/json/object.hpp>

namespace parley::api {

// Any event of a run's stream, distinguished by `type`.
boost::json::object event_schema();

// The body of a stream: text whose events have this data.
boost::json::object event_stream_schema(boost::json::object data);

}  // namespace parley::api
