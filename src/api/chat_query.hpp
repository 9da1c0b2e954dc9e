// POST /v1/api/chat/query: sends a message to the assistant.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> query_routes();

}  // namespace parley::api
