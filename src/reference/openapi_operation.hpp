// One row of the route table as an OpenAPI operation.
#pragma once

#include "api/route.hpp"
#include "reference/openapi_components.hpp"

#include <boost/json/object.hpp>

namespace parley::reference {

boost::json::object openapi_operation(const api::Route& route, OpenApiComponents& components);

}  // namespace parley::reference
