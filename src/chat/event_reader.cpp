#include "chat/event_reader.hpp"

#include "base/timer.hpp"
#include "chat/events.hpp"
#include "chat/views.hpp"

#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <utility>

namespace parley::chat {
namespace {

// The number of bytes of past events that are read at once.
constexpr std::size_t bytes_of_a_read = std::size_t{16} * 1024;

// The memory of a batch: its events, and their frames one after the other.
constexpr std::size_t bytes_of_a_batch = 2 * bytes_of_a_read;

// Longer than a living server needs to find its database again.
constexpr std::chrono::seconds patience_with_lost_events{6};

}  // namespace

EventReader::EventReader(Sources sources, ActiveRunRef run, std::int64_t after, TakeMemory take)
    : sources_(sources),
      run_(std::move(run)),
      take_(std::move(take)),
      follower_(run_->feed().follow()),
      replacements_(run_->feed().replacements()),
      after_(after)
{
}

EventReader::EventReader(Sources sources, EndedRun::Whole ended, std::int64_t after, bool are_kept,
                         TakeMemory take)
    : sources_(sources),
      unshared_(std::move(ended)),
      take_(std::move(take)),
      after_(after),
      are_kept_(are_kept)
{
}

void EventReader::give_up()
{
    if (follower_) run_->feed().give_up(follower_);
}

bool EventReader::is_up_to_date() const
{
    return run_ && after_ > 0 && run_->feed().last() <= after_;
}

Task<bool> EventReader::is_ahead()
{
    if (!run_ || run_->feed().last() == 0 || after_ <= run_->feed().last()) co_return false;
    co_await wait_for_lost_events();
    co_return has_lost_events();
}

// A crash of the database that the servers share loses the last events. The server that executes
// the run sends them again, all of them together, unless it has died, too: then another one takes
// over, whose events of the same numbers are others. So this waits only for a run that was never
// taken over. False if the reader was told to give up.
Task<bool> EventReader::wait_for_lost_events()
{
    if (!run_->is_followed() || run_->epoch() != 0) co_return true;
    Timer timer(co_await boost::asio::this_coro::executor);
    timer.expires_after(patience_with_lost_events);
    timer.async_wait([run = run_, follower = follower_](boost::system::error_code cancelled) {
        if (!cancelled) run->feed().wake(follower);
    });
    const bool stays = co_await run_->feed().wait(follower_, after_ - 1);
    timer.cancel();
    co_return stays;
}

// After the wait for them.
bool EventReader::has_lost_events() const
{
    return run_->epoch() != 0 || after_ > run_->feed().last();
}

Task<Result<EventReader::Batch>> EventReader::next()
{
    if (!run_) co_return co_await from_store();
    co_return co_await from_feed();
}

Task<Result<EventReader::Batch>> EventReader::from_feed()
{
    // If the client has seen more than the feed has, a power failure lost events. A run without
    // events yet is waited for. Later a reader may be ahead of the feed, because it reads events
    // from the journal before the feed gets them.
    const std::int64_t last = run_->feed().last();
    const bool begins = !has_begun_ && last > 0;
    has_begun_ = last > 0;
    if (begins && after_ > last) {
        if (!co_await wait_for_lost_events()) co_return Batch{.is_last = true};
        if (has_lost_events()) co_return snapshot_of_moment();
    }
    if (run_->feed().replacements() != replacements_) co_return snapshot_of_moment();
    const auto seen = run_->feed().look(after_, bytes_of_a_read);
    if (seen.is_behind) co_return co_await from_journal();
    is_live_ = true;  // The ring has all missing events, and shares them between readers.
    charge_.reset();
    if (seen.events.empty() && !seen.has_ended && !seen.was_suspended) {
        const std::int64_t known = has_begun_ ? after_ : 0;
        if (!co_await run_->feed().wait(follower_, known)) co_return Batch{.is_last = true};
        co_return co_await from_feed();
    }
    after_ += static_cast<std::int64_t>(seen.events.size());
    co_return Batch{.events = seen.events,
                    .is_live = true,
                    .is_last = seen.has_ended,
                    .was_suspended = seen.was_suspended && !seen.has_ended};
}

// Copies the whole text, so not for every event.
EventReader::Batch EventReader::snapshot_of_moment()
{
    replacements_ = run_->feed().replacements();
    const auto moment = run_->feed().moment();
    const auto whole = run_->whole();  // After the moment: at the end of a run it has the answer.
    after_ = moment.has_ended ? moment.last - 1 : moment.last;
    Batch batch;
    batch.events.push_back(snapshot_event(after_, moment.has_ended
                                                      ? view(whole->answer.value())
                                                      : unfinished_answer(*whole, moment.text)));
    return batch;
}

Task<Result<EventReader::Batch>> EventReader::from_journal()
{
    if (auto paid = pay_for_batch(); !paid) co_return paid.error();
    auto records = co_await sources_.journal.read(run_->id(), static_cast<std::uint32_t>(after_),
                                                  bytes_of_a_read);
    if (!records) {
        // The run ended between both look-ups.
        if (records.error().code == Errc::not_found && !co_await wait_for_stored_end())
            co_return Batch{.was_suspended = true};
        auto whole = run_->whole();
        if (records.error().code != Errc::not_found || !has_ended(whole->run.status))
            co_return records.error();
        unshared_ = std::move(whole);
        co_return co_await from_store();
    }
    Batch batch{.is_live = is_live_};
    for (auto& record : *records) {
        batch.events.push_back(event_of_record(record.number, std::move(record.bytes)));
        after_ = record.number;
    }
    co_return batch;
}

// In a journal that servers share, the events go in the moment when the end is stored; this process
// learns of it a moment later. False if the run was deleted, or the reader told to give up.
Task<bool> EventReader::wait_for_stored_end()
{
    const bool is_shared = run_->replica() != 0 || run_->is_followed();
    if (!is_shared) co_return true;
    while (!has_ended(run_->whole()->run.status)) {
        const std::int64_t last = run_->feed().last();
        if (!co_await run_->feed().wait(follower_, last)) co_return false;
        const auto seen = run_->feed().look(last, 0);
        if (seen.has_ended || seen.was_suspended) break;
    }
    co_return has_ended(run_->whole()->run.status);
}

Task<Result<EventReader::Batch>> EventReader::from_store()
{
    if (unshared_) {
        if (auto shared = co_await share(std::exchange(unshared_, nullptr)); !shared)
            co_return shared.error();
    }
    const std::int64_t last = ended_->whole().run.last_number;
    if (after_ > last || !are_kept_) co_return snapshot_of_end();
    if (auto paid = pay_for_batch(); !paid) co_return paid.error();
    auto events = co_await stored_events();
    if (!events) {
        if (events.error().code == Errc::not_found) co_return snapshot_of_end();
        co_return events.error();
    }
    Batch batch{.events = std::move(*events)};
    after_ += static_cast<std::int64_t>(batch.events.size());
    batch.is_last = after_ >= last || batch.events.empty();
    co_return batch;
}

Task<Result<>> EventReader::share(EndedRun::Whole ended)
{
    auto shared = co_await sources_.ended_runs.share(std::move(ended), are_kept_, take_);
    if (!shared) co_return shared.error();
    ended_ = std::move(*shared);
    kept_ = ended_->kept();
    co_return Result<>();
}

Result<> EventReader::pay_for_batch()
{
    if (charge_ || !take_) return {};
    auto taken = take_(bytes_of_a_batch);
    if (!taken) return taken.error();
    charge_ = std::move(*taken);
    return {};
}

// Fails with not_found if they are not stored.
Task<Result<std::vector<RunEvent>>> EventReader::stored_events()
{
    const store::RunWithMessages& whole = ended_->whole();
    if (kept_) {
        auto events = kept_->next(whole, after_, bytes_of_a_read);
        if (!events) co_return not_found("The stream of this run");
        co_return std::move(*events);
    }
    auto old = co_await sources_.store.runs().old_frames(whole.run.id, after_, bytes_of_a_read);
    if (!old) co_return old.error();
    std::vector<RunEvent> events;
    for (std::int64_t number = after_; std::string & frame : *old)
        events.push_back(event_of_frame(++number, std::move(frame)));
    co_return events;
}

EventReader::Batch EventReader::snapshot_of_end()
{
    Batch batch{.is_last = true};
    if (after_ != ended_->whole().run.last_number - 1 && ended_->snapshot())
        batch.events.push_back(*ended_->snapshot());
    batch.events.push_back(ended_->last());
    return batch;
}

}  // namespace parley::chat
