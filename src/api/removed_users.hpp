// What has to be done beyond the store when a user is removed: a server stops their runs and makes
// its models forget what they have read; a command without a server drops what models have kept.
#pragma once

#include "base/task.hpp"

#include <functional>
#include <string>

namespace parley::api {

struct RemovedUsers {
    std::function<Task<>(std::string user)> forget;
};

}  // namespace parley::api
