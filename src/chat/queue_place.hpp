// A place in the queue for an answer that is not stored and therefore not a run. Destruction
// releases it.
//
// Threads: the loop that asked. The queue must outlive it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/runs.hpp"

#include <memory>
#include <string>

namespace parley::chat {

class QueuePlace {
public:
    // `id` is chosen by the caller. Fails with overloaded, shutting_down.
    static Task<Result<std::unique_ptr<QueuePlace>>> take(Runs& runs, Owner owner,
                                                          std::string model, std::string id);
    static Result<std::unique_ptr<QueuePlace>> take(RunQueue& queue, const std::string& user,
                                                    std::string id);

    QueuePlace(const QueuePlace&) = delete;
    QueuePlace& operator=(const QueuePlace&) = delete;
    ~QueuePlace() { queue_.leave(id_); }  // NOLINT(bugprone-exception-escape): out of memory.

    // Waits for its turn. False if it was withdrawn meanwhile.
    Task<bool> turn() { return queue_.turn(id_); }

    // Stops waiting; no effect after its turn has come.
    void withdraw() { queue_.withdraw(id_); }

private:
    QueuePlace(RunQueue& queue, std::string id) : queue_(queue), id_(std::move(id)) {}

    RunQueue& queue_;
    const std::string id_;
};

}  // namespace parley::chat
