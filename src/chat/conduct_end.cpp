#include "base/field_write.hpp"
#include "base/log.hpp"
#include "chat/conduct.hpp"
#include "chat/views.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <limits>

namespace parley::chat {
namespace {

constexpr std::size_t bytes_of_a_read = std::size_t{1024} * 1024;

}  // namespace

Task<> Conduct::finish(Ending ending)
{
    const std::int64_t number = run_->feed().last() + 1;
    const TimePoint now = runs_.options_.clock->now();
    store::WholeRun ended = whole_;
    ended.run.status = ending.status;
    ended.run.completed_at = now;
    ended.run.history_from = history_from_;
    ended.run.last_number = number;
    // Where the model tells nothing, the deltas are what is known: all events but the first.
    const std::int64_t deltas = std::max<std::int64_t>(number - 2, 0);
    ended.run.usage = ending.usage.value_or(Usage{.output_tokens = deltas});
    if (ending.error)
        ended.run.error = boost::json::serialize(runs_.options_.describe_error(*ending.error));
    // What was sent, and no more: a piece that could not be journalled was never seen.
    ended.answer = store::Message{.id = whole_.run.answer,
                                  .session = whole_.run.session,
                                  .parent = whole_.run.question,
                                  .depth = whole_.question.depth + 1,
                                  .speaker = Speaker::assistant,
                                  .parts = {run_->feed().moment().text},
                                  .created_at = whole_.run.started_at.value_or(now),
                                  .stop_reason = ending.reason,
                                  .model = whole_.run.model,
                                  .run = whole_.run.id};
    const Frame terminal = terminal_event(number, view(ended));

    const bool is_long = run_->feed().look(0, 0).is_behind;
    if (is_long && !runs_.finishing_.enter_again(run_->owner().user, run_->id()))
        co_await runs_.finishing_.turn(run_->id());
    if (was_left()) co_return;
    for (;;) {
        // Made anew for each try: a run's frames are its largest part, and there is one copy of
        // them.
        store::FinishedRun finished{.run = whole_.run.id,
                                    .status = ended.run.status,
                                    .started_at = whole_.run.started_at,
                                    .completed_at = now,
                                    .usage = ended.run.usage,
                                    .error = ended.run.error,
                                    .history_from = history_from_,
                                    .answer = *ended.answer,
                                    .last_number = number};
        auto frames = co_await all_frames();
        if (!frames) co_return;
        finished.frames = std::move(*frames);
        finished.frames.push_back(*terminal);
        const auto stored = co_await runs_.store_.runs().finish_run(std::move(finished));
        // Gone with its session: whoever still reads is told how it ended.
        if (stored || stored.error().code == Errc::not_found) break;
        if (stored.error().code == Errc::conflict) {
            log::error("a run has ended twice", log::kv("run_id", run_->id()));
            break;
        }
        co_await hold_on(stored.error());
        if (was_left()) co_return;
    }
    run_->set_whole(std::move(ended));
    run_->feed().end(terminal);
    runs_.journal_.end(run_->id());
    ++runs_.events_;
    runs_.count_end(ending.status);
    log::info("run ended", log::kv("run_id", run_->id()), log::kv("session_id", whole_.run.session),
              log::kv("model", whole_.run.model), log::kv("status", wire::name_of(ending.status)),
              log::kv("events", number), log::kv("ms", runs_.options_.clock->steady() - asked_at_));
}

// From the ring where that has all of them, else from the journal. Nothing where the process is to
// end before they could be read.
Task<std::optional<std::vector<std::string>>> Conduct::all_frames()
{
    std::vector<std::string> frames;
    const std::int64_t last = run_->feed().last();
    const auto seen = run_->feed().look(0, std::numeric_limits<std::size_t>::max());
    if (!seen.is_behind) {
        for (const Frame& frame : seen.frames) frames.push_back(*frame);
        co_return frames;
    }
    while (static_cast<std::int64_t>(frames.size()) < last) {
        auto records = co_await runs_.journal_.read(
            run_->id(), static_cast<std::uint32_t>(frames.size()), bytes_of_a_read);
        if (records) {
            for (const auto& record : *records) frames.push_back(*record.frame);
            continue;
        }
        co_await hold_on(records.error());
        if (was_left()) co_return std::nullopt;
    }
    co_return frames;
}

}  // namespace parley::chat
