// A run as its readers see it, whether it is active in this process, is executed by another server
// (followed_runs.hpp), or has ended.
//
// Threads: the loop that found it; give_up() from any thread. The context must outlive it.
#pragma once

#include "api/wire/run.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/active_run.hpp"
#include "chat/event_reader.hpp"
#include "chat/run_context.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <variant>

namespace parley::chat {

class RunHandle {
public:
    // An active run whose question is stored; or an ended run.
    RunHandle(RunContext& context, ActiveRunRef active);
    RunHandle(RunContext& context, EndedRun::Whole ended);

    const std::string& id() const;

    // The run as it is now.
    std::shared_ptr<const store::RunWithMessages> whole() const;
    api::RunView view() const;
    // Brings up to date what is shown of a run that another server executes, or that waits.
    Task<> look_again() const;

    // False if it had ended already when it was found.
    bool was_running() const { return std::holds_alternative<ActiveRunRef>(run_); }

    // Whether there is nothing after this event.
    bool ends_with(std::int64_t number) const;

    // Reads the events after a number. `take`: how its memory is paid for. The readers of an ended
    // run share its texts: give up the handle, so that it does not hold them for each.
    EventReader read(std::int64_t after, TakeMemory take = {}) const&;
    EventReader read(std::int64_t after, TakeMemory take = {}) &&;

    // Waits until it has ended or was suspended. False if that takes longer than `patience`, or the
    // waiter was told to give up. Fails with the error that delays the run.
    using Waiter = Feed::FollowerRef;  // Null for a run that has ended.
    Waiter waiter() const;
    void give_up(const Waiter& waiter) const;
    Task<Result<bool>> wait_for_end(std::chrono::milliseconds patience, Waiter waiter) const;
    Task<Result<bool>> wait_for_end(std::chrono::milliseconds patience) const
    {
        return wait_for_end(patience, waiter());
    }

    // Changes nothing for a run that has ended.
    void cancel() const;
    // The same, and fails if a run of another server cannot be cancelled now.
    Task<Result<>> ask_to_cancel() const;

private:
    using Ended = EndedRun::Whole;

    const ActiveRunRef* active_run() const { return std::get_if<ActiveRunRef>(&run_); }

    RunContext* context_;
    std::variant<ActiveRunRef, Ended> run_;
};

}  // namespace parley::chat
