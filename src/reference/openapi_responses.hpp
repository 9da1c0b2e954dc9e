// All responses of one row of the route table, for OpenAPI: its successful responses, and the
// shared problems.
#pragma once

#include "api/route.hpp"
#include "reference/openapi_components.hpp"

#include <boost/json/object.hpp>

namespace parley::reference {

boost::json::object openapi_responses(const api::Route& route, OpenApiComponents& components);

// Under /v1: it needs a token and is counted.
inline bool is_versioned(const api::Route& route) { return route.path.starts_with("/v1/"); }

}  // namespace parley::reference
