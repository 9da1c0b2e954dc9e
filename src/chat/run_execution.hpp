// One run from its first event to its last: its place in the queue, the conversation that the model
// gets, the answer, and the end. Every event is journalled before a reader sees it, or stored with
// the answer, like the last one.
//
// Threads: the run's own loop.
#pragma once

#include "base/timer.hpp"
#include "chat/active_run.hpp"
#include "chat/run_context.hpp"
#include "tracing/tracing.hpp"

namespace parley::chat {

// What the store has read with a run that it has just stored, and that begins now.
struct JustBegun {
    std::optional<std::string> instructions = {};  // Of the session.
};

class RunExecution {
public:
    // `begins_now`: its turn has already come. `was_begun`: an earlier process or server has
    // executed it, so that its text may be incomplete.
    RunExecution(RunContext& context, ActiveRunRef run, bool begins_now, bool was_begun,
                 std::optional<JustBegun> just_begun = {});

    // Returns when the run has ended, or continues in another process.
    Task<> execute();

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
    Task<Result<engine::Prompt>> readable_prompt();
    Task<Result<engine::Prompt>> prompt();
    Task<Result<std::optional<std::string>>> session_instructions();
    bool may_hold_deltas() const;
    std::vector<RunEvent> events_of(std::vector<std::string> deltas);
    Task<bool> publish_deltas(std::vector<std::string> deltas);
    Task<bool> append_events(std::vector<RunEvent> events);
    Task<> finish(Ending ending);
    store::RunWithMessages ended_as(const Ending& ending, std::int64_t number, TimePoint now) const;
    Task<std::string> kept_events(const store::RunWithMessages& ended, const RunEvent& last);
    Task<std::optional<RunEvent>> first_event();
    Task<bool> wait_before_retry(const Error& error);
    static bool is_temporary(const Error& error);
    void watch_the_clock();
    Ending ending_of_stop() const;
    static Ending failed(Error error);
    void finish_span(const store::Run& ended);
    bool was_suspended() const { return run_->stopped() == ActiveRun::Stop::suspended; }
    // Another process executes it from now on.
    bool continues_elsewhere() const { return was_suspended() || run_->is_lost(); }

    RunContext& context_;
    const ActiveRunRef run_;
    RunQueue& queue_;
    store::RunWithMessages whole_;
    const bool begins_now_;
    const bool was_begun_;
    std::optional<JustBegun> just_begun_;
    bool is_new_;                      // No event of it was ever sent.
    std::vector<RunEvent> held_ = {};  // Deltas that readers get when the answer is stored.
    bool in_trouble_ = false;
    std::optional<Error> broken_ = {};  // An error that ended it, because a retry would not help.
    std::int64_t history_from_ = 0;
    SteadyPoint asked_at_;
    engine::Engine* engine_ = nullptr;
    std::shared_ptr<Timer> deadline_;
    PromptImages images_;
    tracing::OpenSpan span_;
};

}  // namespace parley::chat
