// POST /v1/chat/completions: the same rules through OpenAI's door.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> completion_routes();

}  // namespace parley::api
