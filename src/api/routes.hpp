// The route table of the server: everything that it answers.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> all_routes();

}  // namespace parley::api
