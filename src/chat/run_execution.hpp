// One run from its first event to its last: its place in the queue, the conversation that the model
// is shown, what the model writes, and how it ended. Every event is journalled before anybody sees
// it; the last one is stored, together with the answer.
//
// Threads: the run's own loop.
#pragma once

#include "base/timer.hpp"
#include "chat/runs.hpp"

namespace parley::chat {

class RunExecution {
public:
    // `begins_now`: it has its turn already.
    RunExecution(Runs& runs, ActiveRunRef run, bool begins_now);

    // Comes back when the run has ended, or was left for the next process.
    Task<> go();

private:
    // How a run ends.
    struct Ending {
        RunStatus status = RunStatus::completed;
        StopReason reason = StopReason::end_turn;
        std::optional<Usage> usage = {};
        std::optional<Error> error = {};
    };

    Task<bool> announce();
    Task<bool> wait_for_turn();
    Task<Ending> answer();
    Task<Ending> read(engine::Reply& reply);
    Task<Result<engine::Prompt>> prompt();
    Task<bool> keep(std::vector<std::string> deltas);
    Task<bool> record(std::vector<Frame> frames, std::span<const std::string> texts = {});
    Task<> finish(Ending ending);
    store::RunWithMessages ended_as(const Ending& ending, std::int64_t number, TimePoint now) const;
    Task<std::string> events(const store::RunWithMessages& ended, const Frame& terminal);
    Task<std::optional<Frame>> first_event();
    Task<bool> hold_on(const Error& error);
    static bool may_heal(const Error& error);
    void watch_the_clock();
    Ending ending_of_stop() const;
    static Ending failed(Error error);
    bool was_suspended() const { return run_->stopped() == ActiveRun::Stop::left; }

    Runs& runs_;
    const ActiveRunRef run_;
    RunQueue& queue_;
    store::RunWithMessages whole_;
    bool begins_now_;
    bool is_new_to_it_;  // No event of it was ever sent.
    bool in_trouble_ = false;
    std::optional<Error> broken_ = {};  // What ended it, where waiting would not have helped.
    std::int64_t history_from_ = 0;
    SteadyPoint asked_at_;
    engine::Engine* engine_ = nullptr;
    std::shared_ptr<Timer> deadline_;
};

}  // namespace parley::chat
