// An answer that is not stored: the client sends the whole conversation. It waits in the same queue
// as a run, with the same timeout; nothing of it is stored or journalled, and it ends when the
// client disconnects.
//
// Threads: the loop that asked. The runs and the engine must outlive it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "base/timer.hpp"
#include "chat/queue_place.hpp"
#include "chat/runs.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <string>

namespace parley::chat {

class UnstoredAnswer : public std::enable_shared_from_this<UnstoredAnswer> {
    struct Private {};

public:
    // Takes a place in the queue, under the caller's id. `has_budget`: of output tokens. Fails with
    // message_too_long, overloaded, shutting_down, budget_used_up.
    static Task<Result<std::shared_ptr<UnstoredAnswer>>> begin(Runs& runs, engine::Engine& engine,
                                                               std::string model, Owner owner,
                                                               std::string id,
                                                               engine::Prompt prompt,
                                                               bool has_budget = false);

    UnstoredAnswer(Private, Runs& runs, engine::Engine& engine, std::unique_ptr<QueuePlace> place,
                   Owner owner, engine::Prompt prompt, const Executor& loop);
    UnstoredAnswer(const UnstoredAnswer&) = delete;
    UnstoredAnswer& operator=(const UnstoredAnswer&) = delete;
    // Leaves the queue; a model that still writes is stopped.
    ~UnstoredAnswer();

    // Waits until there is more, as Reply::next() does; the first time also for its turn.
    Task<Result<engine::Output>> next();

    // A waiting next() returns soon, with a finish (StopReason::cancelled).
    void stop();

    // Whether the model has started: a retry would repeat its work.
    bool has_begun() const { return has_begun_; }

private:
    Task<Result<>> start();
    void watch_the_clock();
    void leave_queue();
    engine::Output cancelled() const;

    Runs& runs_;
    engine::Engine& engine_;
    // While the model works for it, however slowly its client reads.
    std::unique_ptr<QueuePlace> place_;
    const Owner asker_;
    engine::Prompt prompt_;
    PromptImages images_;
    Timer deadline_;
    std::unique_ptr<engine::Reply> reply_;
    RunStatus status_ = RunStatus::cancelled;  // The default, until another end is known.
    bool is_stopped_ = false;
    bool is_late_ = false;
    bool has_begun_ = false;
};
using UnstoredAnswerRef = std::shared_ptr<UnstoredAnswer>;

}  // namespace parley::chat
