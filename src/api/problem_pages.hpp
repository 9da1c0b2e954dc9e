// /problems and /problems/{code}: what an error means, for people (HTML) and programs (JSON).
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> problem_routes();

}  // namespace parley::api
