// Tokens over HTTP: a user's own, and those that operators make for others.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Asks for the services store::Store, auth::PersonalTokens, Cursors and const Clock.
std::vector<Route> token_routes();

}  // namespace parley::api
