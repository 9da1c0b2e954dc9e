// Takes runs from the line that several servers share (store/runs.hpp), one after the other, while
// this server has places for them. A ticket waits for each place among the answers that wait on
// this server alone; the run that is taken then gets the place of the ticket.
//
// Threads: from any event loop, unless a comment says otherwise. Context and queues must outlive
// it.
#pragma once

#include "base/task.hpp"
#include "chat/run_context.hpp"
#include "chat/run_queues.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace parley::chat {

class TurnTaker {
public:
    // Begins a run, which has a place in the queue, under an incarnation of this server.
    using Begin = std::function<void(store::RunWithMessages, std::int64_t replica)>;

    // `is_scripted`: of the line of the scripted model.
    TurnTaker(RunContext& context, RunQueues& queues, bool is_scripted, Begin begin);

    // From any thread: so many runs wait, on all servers.
    void hear(std::size_t waiting) { waiting_ = waiting; }
    void hear_of_one();
    std::size_t waiting() const { return waiting_; }

    // From any thread: whether take() is to be started, because runs wait. If it is being done, it
    // looks once more.
    bool may_start();
    // Returns when none can be taken; the next pulse of the servers (cluster/cluster.hpp) is a
    // reason to try again.
    Task<> take();

    // From any thread: takes no more.
    void stop();

private:
    Task<bool> get_place();
    Task<bool> take_one();

    RunContext& context_;
    RunQueues& queues_;
    RunQueue& queue_;
    const bool is_scripted_;
    const Begin begin_;
    const std::string ticket_;
    std::atomic<std::size_t> waiting_ = 0;
    std::atomic<bool> is_taking_ = false;
    std::atomic<bool> is_asked_again_ = false;
    std::atomic<bool> is_stopped_ = false;
};

}  // namespace parley::chat
