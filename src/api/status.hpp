// How the server is, for operators: models, storage, queue.
#pragma once

#include "api/route.hpp"
#include "metrics/storage_metrics.hpp"

#include <functional>
#include <string>
#include <vector>

namespace parley::api {

// What the endpoint cannot see for itself.
struct ServerFacts {
    std::string version;
    std::function<metrics::StorageFigures()> storage;
};

}  // namespace parley::api
