// GET /v1/models: the models that this server offers.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> model_routes();

}  // namespace parley::api
