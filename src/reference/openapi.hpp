// The API as an OpenAPI 3.1 document, generated from the route table that serves the requests and
// from the table of problems.
#pragma once

#include "api/route.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace parley::reference {

struct OpenApiInfo {
    std::string version;
    std::string public_url = {};  // Empty: clients use the address of the document.
    std::string contact = {};     // A mail address or a web address.
};

boost::json::object openapi(const std::vector<api::Route>& routes, const OpenApiInfo& info);

}  // namespace parley::reference
