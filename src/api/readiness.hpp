// Whether this server is ready for requests. It is not ready until its start is complete, including
// the files by which commands find it; before it stops, so that a load balancer stops using it
// while it still responds (it drains); and while a component that it needs does not work.
//
// Threads: any.
#pragma once

#include "base/error.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace parley::api {

class Readiness {
public:
    void end_start() { started_ = true; }
    // It is about to shut down: requests are still served, but no more should be sent here.
    void begin_drain() { draining_ = true; }
    void begin_shutdown() { draining_ = shutting_down_ = true; }
    bool is_draining() const { return draining_; }

    // The check of a component: called each time, from any thread. Set before the server starts.
    void depend_on(std::function<Result<>()> part) { part_ = std::move(part); }

    // The same for the free disk space for new data.
    void depend_on_room(std::function<Result<>()> room) { room_ = std::move(room); }
    Result<> check_room() const { return room_ ? room_() : Result<>(); }

    // Sentences for operators about what they should fix; the server is ready nevertheless. Called
    // as the checks are.
    using Warnings = std::vector<std::string>;
    void warn_of(std::function<Warnings()> faults) { faults_ = std::move(faults); }
    Warnings warnings() const { return faults_ ? faults_() : Warnings(); }

    // Fails with shutting_down: new requests are refused, requests in progress are still answered.
    Result<> check_open() const
    {
        return shutting_down_ ? Result<>(is_shutting_down()) : Result<>();
    }

    // Fails with overloaded before the start is complete, with shutting_down, or with the error of
    // a component.
    Result<> check() const
    {
        if (!started_) return Error{Errc::overloaded, "The server is starting."};
        if (draining_) return is_shutting_down();
        if (auto works = part_ ? part_() : Result<>(); !works) return works;
        return check_room();
    }

private:
    static Error is_shutting_down()
    {
        return {Errc::shutting_down, "The server is shutting down."};
    }

    std::function<Result<>()> part_;
    std::function<Result<>()> room_;
    std::function<Warnings()> faults_;
    std::atomic<bool> started_ = false;
    std::atomic<bool> draining_ = false;
    std::atomic<bool> shutting_down_ = false;
};

}  // namespace parley::api
