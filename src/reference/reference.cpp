#include "reference/reference.hpp"

#include "reference/routes.hpp"
#include "reference/yaml.hpp"

#include <boost/json/serialize.hpp>

namespace parley::reference {

using namespace api;
namespace {

Task<Result<http::Response>> get_openapi_json(Reference& reference, const http::RequestHead& head)
{
    const auto documents = co_await reference.documents();
    co_return cached_response(documents->json, head);
}

Task<Result<http::Response>> get_openapi_yaml(Reference& reference, const http::RequestHead& head)
{
    const auto documents = co_await reference.documents();
    co_return cached_response(documents->yaml, head);
}

// Browsers and proxies do not know the registered media types of OpenAPI 3.1.
constexpr const char* json_type = "application/json";
constexpr const char* yaml_type = "application/yaml";

DocumentedResponse unchanged() { return {.status = 304, .meaning = "Not modified."}; }

}  // namespace

Reference::Documents::Documents(const boost::json::object& document)
    : json(json_type, boost::json::serialize(document)), yaml(yaml_type, reference::yaml(document))
{
}

// All work is done: tasks wait for it.
Reference::~Reference()
{
    const MutexLock lock(mutex_);
    if (pool_) pool_->join();
}

Task<Reference::DocumentsRef> Reference::documents()
{
    boost::asio::thread_pool* pool = nullptr;
    {
        const MutexLock lock(mutex_);
        if (made_) co_return made_;
        if (!pool_) pool_ = std::make_unique<boost::asio::thread_pool>(1);
        pool = pool_.get();
    }
    co_return co_await offload(*pool, [this] { return generate(); });
}

// On the only thread of the pool: of two requests, the second one finds what the first has made.
Reference::DocumentsRef Reference::generate()
{
    {
        const MutexLock lock(mutex_);
        if (made_) return made_;
    }
    const auto made = std::make_shared<const Documents>(openapi(all_routes(), info_));
    const MutexLock lock(mutex_);
    made_ = made;
    return made;
}

std::vector<Route> reference_routes()
{
    const auto document = [](const char* type) {
        return responds_with(
            {.meaning = "The document.", .media_type = type, .schema = {{"type", "object"}}});
    };
    const auto cached = sends_fields("ETag", "Cache-Control", "Vary");
    return {
        route<get_openapi_json>("GET", "/openapi.json", "getOpenapiJson",
                                "This reference, as OpenAPI 3.1", open, document(json_type),
                                responds_with(unchanged()), cached),
        route<get_openapi_yaml>("GET", "/openapi.yaml", "getOpenapiYaml",
                                "This reference, as OpenAPI 3.1 in YAML", open, document(yaml_type),
                                responds_with(unchanged()), cached),
    };
}

}  // namespace parley::reference
