// How the server is, for operators: models, storage, queue.
#pragma once

#include "api/route.hpp"
#include "api/storage_metrics.hpp"

#include <functional>
#include <string>
#include <vector>

namespace parley::api {

// What the endpoint cannot see for itself.
struct ServerFacts {
    std::string version;
    std::function<StorageFigures()> storage;
};

// Asks for the services ServerFacts, Models, Runs and Store.
std::vector<Route> status_routes();

}  // namespace parley::api
