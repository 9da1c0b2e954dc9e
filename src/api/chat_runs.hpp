// Runs over HTTP: how one stands, its events, and how to stop it.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> run_routes();

}  // namespace parley::api
