// Chat sessions and their messages over HTTP.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> session_routes();

}  // namespace parley::api
