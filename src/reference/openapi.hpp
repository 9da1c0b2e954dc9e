// The interface as an OpenAPI 3.1 document, made from the route table and the table of problems:
// the rows that route, check and answer requests are the ones that it tells about.
#pragma once

#include "api/route.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace parley::reference {

struct OpenApiInfo {
    std::string version;
    std::string public_url =
        {};                    // Empty: clients take the address that they got the document from.
    std::string contact = {};  // A mail address or a web address.
};

boost::json::object openapi(const std::vector<api::Route>& routes, const OpenApiInfo& info);

}  // namespace parley::reference
