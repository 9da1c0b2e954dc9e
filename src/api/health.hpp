// /healthz and /readyz: is the process alive, and should it be sent requests?
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Ask for the service Readiness.
std::vector<Route> health_routes();

}  // namespace parley::api
