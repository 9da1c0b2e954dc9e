// The route table of the server, in chapters: everything that it answers.
#pragma once

#include "api/route.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace parley::reference {

// Rows that belong together, with what the reference says before them.
struct Chapter {
    std::string_view name;
    std::string_view introduction;
    std::vector<api::Route> (*rows)();
};

std::span<const Chapter> chapters();

std::vector<api::Route> all_routes();

// The rows that a command asks for when no server runs: they need the store and nothing else.
std::vector<api::Route> administration_routes();

}  // namespace parley::reference
