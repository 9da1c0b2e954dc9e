// /healthz, /readyz and /lbz: whether the process is alive, and whether it should get requests.
#include "api/wire/health.hpp"

#include "api/api.hpp"
#include "api/readiness.hpp"

namespace parley::api {
namespace {

// Checks nothing else: a supervisor restarts the process on a failure, and a restart fixes none of
// the other problems.
Result<Health> check_health() { return Health{.status = "ok"}; }

Result<Health> check_readiness(const Readiness& readiness)
{
    if (auto ready = readiness.check(); !ready) return ready.error();
    Health health{.status = "ready"};
    if (auto warnings = readiness.warnings(); !warnings.empty())
        health.warnings = std::move(warnings);
    return health;
}

// 404 lets a load balancer finish the streams of a server that shuts down; 503 would cut them.
Result<http::Response> check_balancer(const Readiness& readiness)
{
    const int otherwise = readiness.is_draining() ? 404 : 503;
    return http::Response{.status = readiness.check() ? 200 : otherwise, .fields = {}, .body = {}};
}

}  // namespace

std::vector<Route> health_routes()
{
    return {
        route<check_health>("GET", "/healthz", "checkHealth", "Liveness check", open,
                            during_shutdown),
        route<check_readiness>("GET", "/readyz", "checkReadiness", "Readiness check", open,
                               during_shutdown),
        route<check_balancer>(
            "GET", "/lbz", "checkBalancer", "Check for load balancers", open, during_shutdown,
            description(
                "No body. A balancer should send no new requests to a server that answers 404, but "
                "leave its streams open."),
            responds_with({.status = 200, .meaning = "The server takes requests."}),
            responds_with({.status = 404, .meaning = "The server is shutting down."}),
            responds_with({.status = 503, .meaning = "The server cannot work at the moment."})),
    };
}

}  // namespace parley::api
