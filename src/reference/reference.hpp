// The published API reference: the route table in chapters, the OpenAPI document that is generated
// from it, and the pages for people (/docs, /problems).
#pragma once

#include "api/route.hpp"
#include "api/static_resource.hpp"
#include "reference/openapi.hpp"

#include <vector>

namespace parley::reference {

// The document of this server, generated when the program starts.
struct Reference {
    explicit Reference(const OpenApiInfo& info);
    explicit Reference(const boost::json::object& document);

    api::StaticResource json;
    api::StaticResource yaml;
};

// /openapi.json and /openapi.yaml. Asks for the service Reference.
std::vector<api::Route> reference_routes();

// /docs: the reference and the guides, for people. Nothing is loaded from another host.
std::vector<api::Route> docs_routes();

// /problems: what each kind of error means, and what to do about it.
std::vector<api::Route> problem_routes();

}  // namespace parley::reference
