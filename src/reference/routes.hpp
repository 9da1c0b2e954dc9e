// The route table of the server, in chapters: everything that it answers.
#pragma once

#include "api/route.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace parley::api {

// Rows that belong together, with what the reference says before them.
struct Chapter {
    std::string_view name;
    std::string_view introduction;
    std::vector<Route> (*rows)();
};

std::span<const Chapter> chapters();

std::vector<Route> all_routes();

// The rows that a command asks for when no server runs: they need the store and nothing else.
std::vector<Route> administration_routes();

}  // namespace parley::api
