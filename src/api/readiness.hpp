// Whether this server wants to be sent requests. It says no before it stops, so that a load
// balancer turns away from it while it still answers.
//
// Threads: any.
#pragma once

#include "base/error.hpp"

#include <atomic>

namespace parley::api {

class Readiness {
public:
    void begin_shutdown() { shutting_down_ = true; }

    // Fails with shutting_down.
    Result<> check() const
    {
        if (shutting_down_) return Error{Errc::shutting_down, "The server is shutting down."};
        return {};
    }

private:
    std::atomic<bool> shutting_down_ = false;
};

}  // namespace parley::api
