#include "chat/run_execution.hpp"

#include "base/log.hpp"
#include "chat/events.hpp"
#include "chat/history.hpp"
#include "chat/parameters.hpp"
#include "chat/views.hpp"
#include "engine/checked_start.hpp"
#include "engine/tool_prompt.hpp"

#include <boost/asio/redirect_error.hpp>

#include <utility>

namespace parley::chat {
namespace {

constexpr std::chrono::milliseconds time_between_tries{250};

Error model_is_gone(const std::string& model)
{
    return {Errc::model_unavailable, "The model " + model + " no longer exists."};
}

Error run_failed() { return {Errc::internal, "The run failed."}; }

}  // namespace

RunExecution::RunExecution(RunContext& context, ActiveRunRef run, bool begins_now, bool was_begun,
                           std::optional<JustBegun> just_begun)
    : context_(context),
      run_(std::move(run)),
      queue_(run_->queue()),
      whole_(*run_->whole()),
      begins_now_(begins_now),
      was_begun_(was_begun),
      just_begun_(std::move(just_begun)),
      is_new_(run_->feed().last() == 0),
      asked_at_(context.options.clock->steady()),
      engine_(context.models.find(whole_.run.model)),
      deadline_(std::make_shared<Timer>(run_->loop())),
      images_(context.store, context.image_memory),
      span_("run", tracing::Kind::internal, read_trace(whole_.run.parameters))
{
}

Task<> RunExecution::execute()
{
    std::optional<Ending> ending;
    try {
        // First, so that the client learns at once that its question was stored.
        if (co_await announce() && co_await wait_for_turn()) {
            watch_the_clock();
            ending = co_await answer();
        }
    } catch (const std::exception& bug) {
        log::error("run failed with an exception", log::kv("run_id", run_->id()),
                   log::kv("reason", bug.what()));
        ending = failed(run_failed());
    }
    // A failure that was caused by the cancellation counts as cancelled.
    if (run_->stopped() == ActiveRun::Stop::cancelled && ending &&
        ending->status == RunStatus::failed)
        ending = ending_of_stop();
    deadline_->cancel();
    queue_.leave(run_->id());  // The model is free for the next run.
    if (continues_elsewhere()) co_return;
    co_await finish(ending.value_or(ending_of_stop()));
    co_await context_.retention.sweep_if_due();
}

Task<bool> RunExecution::announce()
{
    if (!is_new_) co_return true;
    api::RunView shown = view(whole_, context_.errors);
    if (!begins_now_)
        if (const auto position = queue_.position(run_->id()))
            shown.queue_position = static_cast<std::int64_t>(*position);
    std::vector<RunEvent> events;
    events.push_back(created_event(1, std::move(shown)));
    co_return co_await append_events(std::move(events));
}

Task<bool> RunExecution::wait_for_turn()
{
    if (!begins_now_ && !co_await queue_.turn(run_->id())) co_return false;
    if (run_->stopped() != ActiveRun::Stop::none) co_return false;
    if (whole_.run.status == RunStatus::running) co_return true;
    const TimePoint now = context_.options.clock->now();
    whole_.run.status = RunStatus::running;
    whole_.run.started_at = now;
    run_->set_whole(whole_);
    // If this cannot be stored, the run continues: finish_run stores the start, too.
    const auto started = co_await context_.store.runs().start_run(run_->id(), now, run_->replica());
    if (!started && started.error().code == Errc::lost_ownership) run_->lose();
    co_return !run_->is_lost();
}

Task<RunExecution::Ending> RunExecution::answer()
{
    if (!engine_) co_return failed(model_is_gone(whole_.run.model));
    // This model cannot continue a text.
    if (was_begun_ && !is_new_ && !engine_->can_continue())
        co_return Ending{.status = RunStatus::interrupted, .reason = StopReason::interrupted};
    auto shown = co_await readable_prompt();
    if (run_->stopped() != ActiveRun::Stop::none) co_return ending_of_stop();
    // The session was deleted before the run was told to stop.
    if (!shown && shown.error().code == Errc::not_found)
        co_return Ending{.status = RunStatus::cancelled, .reason = StopReason::cancelled};
    if (!shown) co_return failed(shown.error());
    auto reply =
        co_await engine::checked_start(*engine_, std::move(*shown), run_->feed().moment().text);
    if (!reply) co_return failed(reply.error());
    // Also if reading throws: the run must not point to a destroyed reply.
    struct Registered {
        ActiveRun& run;
        ~Registered() { run.set_reply(nullptr); }
    };
    const Registered registered{*run_};
    run_->set_reply(reply->get());
    if (run_->stopped() != ActiveRun::Stop::none) (*reply)->stop();
    Ending ending = co_await read(**reply);
    if (!ending.usage) ending.usage = (*reply)->used();
    co_return ending;
}

Task<RunExecution::Ending> RunExecution::read(engine::Reply& reply)
{
    for (;;) {
        auto written = co_await reply.next();
        images_.release();
        if (!written) co_return failed(written.error());
        if (written->finish && may_hold_deltas()) {
            held_ = events_of(std::move(written->deltas));
            co_return Ending{.reason = written->finish->reason, .usage = written->finish->usage};
        }
        if (!co_await publish_deltas(std::move(written->deltas))) co_return ending_of_stop();
        if (run_->stopped() != ActiveRun::Stop::none) {
            Ending ending = ending_of_stop();
            if (written->finish) ending.usage = written->finish->usage;
            co_return ending;
        }
        if (written->finish)
            co_return Ending{.reason = written->finish->reason, .usage = written->finish->usage};
    }
}

// The question was accepted: an absence of the database delays its answer.
Task<Result<engine::Prompt>> RunExecution::readable_prompt()
{
    for (;;) {
        auto made = co_await prompt();
        if (made || !is_temporary(made.error())) co_return made;
        if (!co_await wait_before_retry(made.error())) co_return made;
    }
}

// Looks the session up again if the run has waited: it may have been deleted meanwhile.
Task<Result<std::optional<std::string>>> RunExecution::session_instructions()
{
    using Instructions = Result<std::optional<std::string>>;
    if (const auto begun = std::exchange(just_begun_, std::nullopt))
        co_return Instructions(begun->instructions);
    auto session =
        co_await context_.store.sessions().find_session(whole_.run.owner, whole_.run.session);
    if (!session) co_return session.error();
    co_return Instructions(std::move(session->instructions));
}

Task<Result<engine::Prompt>> RunExecution::prompt()
{
    const auto of_session = co_await session_instructions();
    if (!of_session) co_return of_session.error();
    auto sampling = read_parameters(whole_.run.parameters);
    if (!sampling) co_return sampling.error();
    const std::string own = read_response(whole_.run.parameters).instructions;
    engine::Prompt made{.instructions = all_instructions(own, *of_session),
                        .sampling = std::move(*sampling),
                        .owner = engine::owner_key(whole_.run.owner),
                        .session = engine::session_key(whole_.run.owner.user, whole_.run.session),
                        .trace = span_.traceparent()};
    auto shown = co_await history(
        context_.store, *engine_, whole_,
        made.instructions + engine::tool_section(made.sampling, engine_->tool_use()));
    if (!shown) co_return shown.error();
    made.turns = std::move(shown->turns);
    history_from_ = shown->from;
    const auto loaded = co_await images_.load(
        whole_.run.owner, made.turns, [this] { return run_->stopped() != ActiveRun::Stop::none; });
    if (!loaded) co_return loaded.error();
    co_return made;
}

// The end of a reply is stored in a moment, and its last deltas with it: an append would only delay
// that. If this process ends before, the model continues the text without them, if it can.
bool RunExecution::may_hold_deltas() const
{
    return engine_->can_continue() && run_->stopped() == ActiveRun::Stop::none;
}

std::vector<RunEvent> RunExecution::events_of(std::vector<std::string> deltas)
{
    std::vector<RunEvent> events;
    events.reserve(deltas.size());
    std::int64_t number = run_->feed().last();
    for (std::string& delta : deltas) events.push_back(delta_event(++number, std::move(delta)));
    if (!events.empty() && events.front().number == 2)  // Only run.created precedes it.
        context_.counters.count_first_delta(context_.options.clock->steady() - asked_at_);
    return events;
}

Task<bool> RunExecution::publish_deltas(std::vector<std::string> deltas)
{
    if (deltas.empty()) co_return true;
    co_return co_await append_events(events_of(std::move(deltas)));
}

Task<bool> RunExecution::append_events(std::vector<RunEvent> events)
{
    std::vector<Frame> records;
    records.reserve(events.size());
    for (const RunEvent& event : events) records.push_back(journal_record(event));
    const auto first = static_cast<std::uint32_t>(events.front().number);
    for (;;) {
        if (run_->is_lost()) co_return false;
        auto kept = co_await context_.journal.append(run_->id(), first, records);
        if (kept) break;
        if (!co_await wait_before_retry(kept.error())) co_return false;
    }
    if (in_trouble_) run_->feed().set_trouble(std::nullopt);
    in_trouble_ = false;
    context_.counters.count_events(events.size());
    run_->feed().push(events);
    co_return true;
}

// Used if the disk fails: clients that wait for the answer get an error, and the run waits. False
// if the run must end instead: because it was told to stop, or because a retry would not help.
Task<bool> RunExecution::wait_before_retry(const Error& error)
{
    if (error.code == Errc::lost_ownership) run_->lose();
    if (error.code == Errc::not_found) run_->stop(ActiveRun::Stop::cancelled);  // It was deleted.
    if (error.code == Errc::not_found) co_return false;
    if (error.code == Errc::shutting_down || continues_elsewhere()) co_return false;
    if (!is_temporary(error)) {
        log::error("cannot store a run", log::kv("run_id", run_->id()),
                   log::kv("reason", error.message), log::kv("detail", error.detail));
        broken_ = run_failed();
        co_return false;
    }
    if (!in_trouble_) {
        log::error("run delayed: storage is not available", log::kv("run_id", run_->id()),
                   log::kv("reason", error.message));
        run_->feed().set_trouble(Error{Errc::storage_unavailable,
                                       "The answer cannot be stored at the moment; the run "
                                       "continues when storage works again."});
    }
    in_trouble_ = true;
    Timer timer(run_->loop(), time_between_tries);
    boost::system::error_code ignored;
    co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    co_return run_->stopped() == ActiveRun::Stop::none;
}

bool RunExecution::is_temporary(const Error& error)
{
    return error.code == Errc::storage_unavailable || error.code == Errc::overloaded;
}

void RunExecution::watch_the_clock()
{
    const auto own = read_timeout(whole_.run.parameters);
    deadline_->expires_after(
        std::min(own.value_or(context_.options.timeout), context_.options.timeout));
    deadline_->async_wait([run = run_, keep = deadline_](boost::system::error_code ended) {
        if (!ended) run->stop(ActiveRun::Stop::timed_out);
    });
}

RunExecution::Ending RunExecution::failed(Error error)
{
    return {.status = RunStatus::failed, .reason = StopReason::error, .error = std::move(error)};
}

RunExecution::Ending RunExecution::ending_of_stop() const
{
    if (broken_) return failed(*broken_);
    if (run_->stopped() == ActiveRun::Stop::timed_out)
        return failed({Errc::upstream_timeout, "The answer took longer than this server allows."});
    return {.status = RunStatus::cancelled, .reason = StopReason::cancelled};
}

}  // namespace parley::chat
