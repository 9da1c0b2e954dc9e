// The published reference as this server gives it out: /openapi.json and /openapi.yaml, made from
// the route table when the program starts.
#pragma once

#include "api/openapi.hpp"
#include "api/route.hpp"
#include "api/static_resource.hpp"

#include <vector>

namespace parley::api {

struct Reference {
    explicit Reference(const OpenApiInfo& info);
    explicit Reference(const boost::json::object& document);

    StaticResource json;
    StaticResource yaml;
};

// Asks for the service Reference.
std::vector<Route> reference_routes();

}  // namespace parley::api
