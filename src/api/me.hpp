// A user's own account over HTTP.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Asks for the services store::Store, auth::Accounts and limits::Limiter.
std::vector<Route> me_routes();

}  // namespace parley::api
