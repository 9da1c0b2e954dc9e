// A place in the queue for an answer that is not stored and therefore not a run. Destruction
// releases it, and counts the request and its tokens if its turn had come.
//
// Threads: the loop that asked. The queue must outlive it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/runs.hpp"

#include <memory>
#include <optional>
#include <string>

namespace parley::chat {

class QueuePlace {
public:
    // `id` is chosen by the caller. `reserved`: the output tokens to reserve of the user's budget
    // (store::Reservation), if there is one. Fails with overloaded, shutting_down, budget_used_up.
    static Task<Result<std::unique_ptr<QueuePlace>>> take(
        Runs& runs, Owner owner, std::string model, std::string id,
        std::optional<std::int64_t> reserved = {});
    static Result<std::unique_ptr<QueuePlace>> take(RunQueue& queue, const std::string& user,
                                                    std::string id);

    QueuePlace(const QueuePlace&) = delete;
    QueuePlace& operator=(const QueuePlace&) = delete;
    ~QueuePlace();

    // Waits for its turn, not at all if a place was free. False if it was withdrawn meanwhile.
    Task<bool> turn();

    // The tokens of the answer, once they are known.
    void used(const Usage& tokens) { tokens_ = tokens; }

    // Stops waiting; no effect after its turn has come.
    void withdraw() { queue_.withdraw(id_); }

private:
    // Who pays.
    struct Account {
        Runs& runs;
        Owner owner;
        std::string model;
    };

    QueuePlace(RunQueue& queue, std::string id, bool was_free)
        : queue_(queue), id_(std::move(id)), was_free_(was_free)
    {
    }

    RunQueue& queue_;
    const std::string id_;
    const bool was_free_;
    std::optional<Account> account_;  // Nothing in tests of the queue.
    Usage tokens_;
    bool had_its_turn_ = false;
    bool has_reserved_ = false;
};

}  // namespace parley::chat
