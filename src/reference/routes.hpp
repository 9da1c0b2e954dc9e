// The complete route table of the server, in chapters.
#pragma once

#include "api/route.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace parley::reference {

// Related rows, with their introduction in the reference.
struct RouteGroup {
    std::string_view name;
    std::string_view introduction;
    std::vector<api::Route> (*rows)();
};

std::span<const RouteGroup> route_groups();

std::vector<api::Route> all_routes();

// The rows that commands use if no server runs: they need only the store.
std::vector<api::Route> administration_routes();

}  // namespace parley::reference
