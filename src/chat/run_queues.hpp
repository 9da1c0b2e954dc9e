// The queues in which runs and other answers wait for their turn. The scripted model costs nothing:
// its runs, and so all of test mode, have a queue of their own and take no place from those that
// wait for a real model.
//
// Threads: from any event loop. The store must outlive it.
#pragma once

#include "base/task.hpp"
#include "chat/run_queue.hpp"
#include "store/store.hpp"

#include <string_view>

namespace parley::chat {

class RunQueues {
public:
    RunQueues(store::Store& store, std::size_t max_running, std::size_t max_waiting)
        : store_(store), real_(max_running, max_waiting), scripted_(max_running, max_waiting)
    {
    }

    RunQueue& of(const Owner& owner, std::string_view model);
    RunQueue& real() { return real_; }
    RunQueue& scripted() { return scripted_; }

    // To be called before a run enters: places are shared once there is more than one user. Returns
    // whether there is.
    Task<bool> look_for_users();

    std::size_t running() const { return real_.running() + scripted_.running(); }
    std::size_t waiting() const { return real_.waiting() + scripted_.waiting(); }

private:
    store::Store& store_;
    RunQueue real_;
    RunQueue scripted_;
};

}  // namespace parley::chat
