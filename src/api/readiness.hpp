// Whether this server wants to be sent requests. It says no before it stops, so that a load
// balancer turns away from it while it still answers, and where what it needs is broken for good.
//
// Threads: any.
#pragma once

#include "base/error.hpp"

#include <atomic>
#include <functional>
#include <utility>

namespace parley::api {

class Readiness {
public:
    void begin_shutdown() { shutting_down_ = true; }

    // To be asked each time, from any thread. Set before the server starts.
    void depend_on(std::function<Result<>()> part) { part_ = std::move(part); }

    // Fails with shutting_down, or as the part does.
    Result<> check() const
    {
        if (shutting_down_) return Error{Errc::shutting_down, "The server is shutting down."};
        return part_ ? part_() : Result<>();
    }

private:
    std::function<Result<>()> part_;
    std::atomic<bool> shutting_down_ = false;
};

}  // namespace parley::api
