// /healthz and /readyz: is the process alive, and should it be sent requests?
#include "api/wire/health.hpp"

#include "api/api.hpp"
#include "api/readiness.hpp"

namespace parley::api {
namespace {

// That it answers is the answer: whoever restarts the process on a failure must not be led to do so
// by something that a restart would not mend.
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
