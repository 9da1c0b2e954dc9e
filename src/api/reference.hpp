// The published reference as this server gives it out: /openapi.json and /openapi.yaml, made from
// the route table when the program starts.
#pragma once

#include "api/cached.hpp"
#include "api/openapi.hpp"
#include "api/route.hpp"

#include <vector>

namespace parley::api {

struct Reference {
    explicit Reference(const OpenApiInfo& info);
    explicit Reference(const boost::json::object& document);

    Cacheable json;
    Cacheable yaml;
};

// Asks for the service Reference.
std::vector<Route> reference_routes();

}  // namespace parley::api
