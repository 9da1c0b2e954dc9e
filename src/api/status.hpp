// The state of the server, for operators: models, storage, queue.
#pragma once

#include "api/route.hpp"
#include "metrics/storage_metrics.hpp"

#include <functional>
#include <string>
#include <vector>

namespace parley::api {

// Facts that the endpoint cannot determine itself.
struct ServerFacts {
    std::string version;
    std::function<metrics::StorageFigures()> storage;
};

}  // namespace parley::api
