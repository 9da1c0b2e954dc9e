// The rows of stored responses, and what they document together with the row that creates them.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> stored_response_routes();
Route response_items_route();

DocumentedResponse documented_response_stream();

}  // namespace parley::api
