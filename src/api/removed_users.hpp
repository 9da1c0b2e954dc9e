// Work outside of the store when a user is removed: a server cancels the user's runs and removes
// the user's conversations from the prompt caches of its models; a command without a server deletes
// the saved prompt caches.
#pragma once

#include "base/task.hpp"

#include <functional>
#include <string>

namespace parley::api {

struct RemovedUsers {
    std::function<Task<>(std::string user)> forget;
};

}  // namespace parley::api
