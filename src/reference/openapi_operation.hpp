// One row of the route table as an OpenAPI operation.
#pragma once

#include "api/openapi_components.hpp"
#include "api/route.hpp"

#include <boost/json/object.hpp>

namespace parley::api {

boost::json::object openapi_operation(const Route& route, OpenApiComponents& components);

}  // namespace parley::api
