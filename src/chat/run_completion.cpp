#include "base/log.hpp"
#include "chat/events.hpp"
#include "chat/kept_events.hpp"
#include "chat/parameters.hpp"
#include "chat/run_execution.hpp"
#include "chat/views.hpp"
#include "fields/write.hpp"

namespace parley::chat {
namespace {

// Whether a retry may succeed.
bool may_pass(const std::optional<Error>& error)
{
    if (!error) return false;
    switch (error->code) {
        case Errc::upstream_error:
        case Errc::invalid_output:
        case Errc::upstream_timeout:
        case Errc::overloaded:
        case Errc::model_unavailable:
        case Errc::storage_unavailable:
        case Errc::shutting_down:
            return true;
        default:
            return false;
    }
}

// As FinishedRun::session.
std::string session_to_lock(const store::Run& run)
{
    return run.cause.automation_run.empty() ? run.session : std::string();
}

// Why an automation cannot use a completed answer.
std::optional<Error> failure_of_attempt(const store::RunWithMessages& ended)
{
    const bool is_cut = ended.run.status == RunStatus::completed && ended.answer->structured &&
                        ended.answer->stop_reason != StopReason::end_turn;
    if (!is_cut) return {};
    return Error{Errc::invalid_output, "The answer was cut by max_output_tokens."};
}

}  // namespace

store::RunWithMessages RunExecution::ended_as(const Ending& ending, std::int64_t number,
                                              TimePoint now) const
{
    auto moment = run_->feed().moment();
    for (const RunEvent& delta : held_) moment.text += *delta.bytes;
    store::RunWithMessages ended = whole_;
    ended.run.status = ending.status;
    ended.run.completed_at = now;
    ended.run.history_from = history_from_;
    ended.run.last_number = number;
    ended.run.kept_since = context_.retention.now();
    ended.run.usage = ending.usage;
    ended.run.frees_key = moment.text.empty() && may_pass(ending.error);
    if (ending.error) ended.run.error = context_.errors.stored(*ending.error);
    // Only the text that was sent, or is sent with the end: no client has seen another piece.
    ended.answer = store::Message{.id = whole_.run.answer,
                                  .session = whole_.run.session,
                                  .parent = whole_.run.question,
                                  .depth = whole_.question.depth + 1,
                                  .speaker = Speaker::assistant,
                                  .parts = {moment.text},
                                  .created_at = whole_.run.started_at.value_or(now),
                                  .stop_reason = ending.reason,
                                  .model = whole_.run.model,
                                  .run = whole_.run.id,
                                  .structured = has_format(whole_.run.parameters)};
    return ended;
}

Task<> RunExecution::finish(Ending ending)
{
    const std::int64_t number = run_->feed().last() + std::ssize(held_) + 1;
    const TimePoint now = context_.options.clock->now();
    store::RunWithMessages ended = ended_as(ending, number, now);
    const RunEvent last = ended_event(number, view(ended, context_.errors));

    std::optional<RunError> failure;
    if (const auto error = failure_of_attempt(ended)) failure = context_.errors.stored(*error);
    const std::string kept = co_await kept_events(ended, last);
    bool is_stored = false;
    while (!continues_elsewhere()) {
        const auto stored =
            co_await context_.store.runs().finish_run({.run = whole_.run.id,
                                                       .replica = run_->replica(),
                                                       .session = session_to_lock(whole_.run),
                                                       .status = ended.run.status,
                                                       .started_at = whole_.run.started_at,
                                                       .completed_at = now,
                                                       .usage = ended.run.usage,
                                                       .error = ended.run.error,
                                                       .history_from = history_from_,
                                                       .answer = *ended.answer,
                                                       .last_number = number,
                                                       .frees_key = ended.run.frees_key,
                                                       .may_retry = may_pass(ending.error),
                                                       .failure_of_attempt = failure,
                                                       .events = kept,
                                                       .kept_since = *ended.run.kept_since});
        is_stored = stored.has_value();
        if (is_stored) break;
        // The run was deleted with its session. Its readers still get its end, and it counts.
        if (stored.error().code == Errc::not_found) {
            if (whole_.run.started_at)
                context_.usage.count(whole_.run.owner, whole_.run.model, now,
                                     ended.run.usage.value_or(Usage()));
            break;
        }
        if (stored.error().code == Errc::lost_ownership) run_->lose();
        if (run_->is_lost()) co_return;
        if (stored.error().code == Errc::conflict) {
            log::error("a run has ended twice", log::kv("run_id", run_->id()));
            break;
        }
        if (!is_temporary(stored.error())) {
            log::error("cannot store the end of a run; the next start resumes it",
                       log::kv("run_id", run_->id()), log::kv("reason", stored.error().message),
                       log::kv("detail", stored.error().detail));
            co_return;
        }
        co_await wait_before_retry(stored.error());
    }
    if (continues_elsewhere()) co_return;
    finish_span(ended.run);
    // Before its readers are woken, who may look at the metrics.
    context_.counters.count_events(held_.size() + 1);
    context_.counters.count_end(ending.status);
    // Before its last events: a reader that they wake looks whether the run has ended.
    run_->set_whole(std::move(ended));
    if (!held_.empty()) run_->feed().push(held_);
    run_->feed().end(last);
    if (is_stored)
        context_.journal.end_stored(run_->id());
    else
        context_.journal.end(run_->id());
    log::info("run ended", log::kv("run_id", run_->id()), log::kv("session_id", whole_.run.session),
              log::kv("model", whole_.run.model), log::kv("status", fields::name_of(ending.status)),
              log::kv("events", number),
              log::kv("ms", context_.options.clock->steady() - asked_at_));
}

void RunExecution::finish_span(const store::Run& ended)
{
    if (!span_.is_recorded()) return;
    span_.add("gen_ai.request.model", ended.model);
    span_.add("parley.run.id", ended.id);
    span_.add("parley.run.status", fields::name_of(ended.status));
    if (ended.usage) {
        span_.add("gen_ai.usage.input_tokens", ended.usage->input_tokens);
        span_.add("gen_ai.usage.output_tokens", ended.usage->output_tokens);
    }
    if (ended.error) span_.fail(ended.error->code);
    span_.end();
}

// Empty if the events cannot be restored from it: then a snapshot replaces them.
Task<std::string> RunExecution::kept_events(const store::RunWithMessages& ended,
                                            const RunEvent& last)
{
    const auto first = co_await first_event();
    DeltaSizes deltas = run_->feed().deltas();
    if (!first || deltas.count() != run_->feed().last() - 1) co_return std::string();
    for (const RunEvent& delta : held_) deltas.add(delta.bytes->size());
    co_return keep_events(ended, *first, deltas, last);
}

// From the ring, or from the journal if the ring no longer has it.
Task<std::optional<RunEvent>> RunExecution::first_event()
{
    const auto seen = run_->feed().look(0, 0);
    if (!seen.events.empty()) co_return seen.events.front();
    while (!continues_elsewhere() && run_->feed().last() > 0) {
        auto records = co_await context_.journal.read(run_->id(), 0, 0);
        if (records && !records->empty())
            co_return event_of_record(1, std::move(records->front().bytes));
        if (records || !is_temporary(records.error())) break;
        co_await wait_before_retry(records.error());
    }
    co_return std::nullopt;
}

}  // namespace parley::chat
