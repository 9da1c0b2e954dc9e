// /healthz and /readyz: whether the process is alive, and whether it should get requests.
#include "api/wire/health.hpp"

#include "api/api.hpp"
#include "api/readiness.hpp"

namespace parley::api {
namespace {

// Checks nothing else: a supervisor restarts the process on a failure, and a restart fixes none of
// the other problems.
Result<Health> check_health() { return Health{"ok"}; }

Result<Health> check_readiness(const Readiness& readiness)
{
    if (auto ready = readiness.check(); !ready) return ready.error();
    return Health{"ready"};
}

}  // namespace

std::vector<Route> health_routes()
{
    return {
        route<check_health>("GET", "/healthz", "Liveness check", open, during_shutdown),
        route<check_readiness>("GET", "/readyz", "Readiness check", open, during_shutdown),
    };
}

}  // namespace parley::api
