// Users over HTTP, for operators.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Asks for the services store::Store, auth::Accounts and Cursors.
std::vector<Route> user_routes();

}  // namespace parley::api
