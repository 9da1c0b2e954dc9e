// The audit log over HTTP: read by operators, who can also leave notes in it.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Asks for the services store::Store, Cursors and const Clock.
std::vector<Route> audit_routes();

}  // namespace parley::api
