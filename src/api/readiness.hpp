// Whether this server wants to be sent requests. It says no until its start has ended, the files by
// which commands find it included; before it stops, so that a load balancer turns away from it
// while it still answers; and while a part that it needs does not work.
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
    void end_start() { started_ = true; }
    void begin_shutdown() { shutting_down_ = true; }

    // To be asked each time, from any thread. Set before the server starts.
    void depend_on(std::function<Result<>()> part) { part_ = std::move(part); }

    // The same for the room that is left for what users add.
    void depend_on_room(std::function<Result<>()> room) { room_ = std::move(room); }
    Result<> check_room() const { return room_ ? room_() : Result<>(); }

    // Fails with shutting_down: no new request is taken, those in hand are still answered.
    Result<> check_open() const
    {
        if (shutting_down_) return Error{Errc::shutting_down, "The server is shutting down."};
        return {};
    }

    // Fails with overloaded before the end of the start, with shutting_down, or as the parts do.
    Result<> check() const
    {
        if (!started_) return Error{Errc::overloaded, "The server is starting."};
        if (auto taken = check_open(); !taken) return taken;
        if (auto works = part_ ? part_() : Result<>(); !works) return works;
        return check_room();
    }

private:
    std::function<Result<>()> part_;
    std::function<Result<>()> room_;
    std::atomic<bool> started_ = false;
    std::atomic<bool> shutting_down_ = false;
};

}  // namespace parley::api
