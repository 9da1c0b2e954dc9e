// What a browser finds at /docs: the reference to read and to try out, and the guides. Nothing is
// loaded from another host.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

std::vector<Route> docs_routes();

}  // namespace parley::api
