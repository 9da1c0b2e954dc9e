// Users over HTTP, for operators.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Asks for the services store::Store, auth::Accounts, Cursors and const RemovedUsers.
std::vector<Route> user_routes();

}  // namespace parley::api
