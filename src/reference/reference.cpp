#include "reference/reference.hpp"

#include "reference/routes.hpp"
#include "reference/yaml.hpp"

#include <boost/json/serialize.hpp>

namespace parley::reference {

using namespace api;
namespace {

Result<http::Response> get_openapi_json(const Reference& reference, const http::RequestHead& head)
{
    return cached_response(reference.json, head);
}

Result<http::Response> get_openapi_yaml(const Reference& reference, const http::RequestHead& head)
{
    return cached_response(reference.yaml, head);
}

// Browsers and proxies do not know the registered media types of OpenAPI 3.1.
constexpr const char* json_type = "application/json";
constexpr const char* yaml_type = "application/yaml";

DocumentedResponse unchanged() { return {.status = 304, .meaning = "Not modified."}; }

}  // namespace

Reference::Reference(const OpenApiInfo& info) : Reference(openapi(all_routes(), info)) {}

Reference::Reference(const boost::json::object& document)
    : json(json_type, boost::json::serialize(document)), yaml(yaml_type, reference::yaml(document))
{
}

std::vector<Route> reference_routes()
{
    const auto document = [](const char* type) {
        return responds_with(
            {.meaning = "The document.", .media_type = type, .schema = {{"type", "object"}}});
    };
    const auto cached = sends_fields("ETag", "Cache-Control", "Vary");
    return {
        route<get_openapi_json>("GET", "/openapi.json", "This reference, as OpenAPI 3.1", open,
                                document(json_type), responds_with(unchanged()), cached),
        route<get_openapi_yaml>("GET", "/openapi.yaml", "This reference, as OpenAPI 3.1 in YAML",
                                open, document(yaml_type), responds_with(unchanged()), cached),
    };
}

}  // namespace parley::reference
