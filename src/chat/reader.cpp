#include "chat/reader.hpp"

#include "chat/views.hpp"

#include <utility>

namespace parley::chat {
namespace {

// How much of the past is read at once: what a reader waits to send costs no more memory.
constexpr std::size_t bytes_of_a_read = std::size_t{64} * 1024;

}  // namespace

Reader::Reader(store::Store& store, journal::Journal& journal, ActiveRunRef run, std::int64_t after)
    : store_(store),
      journal_(journal),
      run_(std::move(run)),
      follower_(run_->feed().follow()),
      after_(after)
{
}

Reader::Reader(store::Store& store, journal::Journal& journal, store::WholeRun ended,
               std::int64_t after, bool are_kept)
    : store_(store), journal_(journal), ended_(std::move(ended)), after_(after), are_kept_(are_kept)
{
}

void Reader::give_up()
{
    if (follower_) run_->feed().give_up(follower_);
}

bool Reader::is_up_to_date() const { return run_ && after_ > 0 && run_->feed().last() <= after_; }

Task<Result<Reader::Batch>> Reader::next()
{
    if (!run_) co_return co_await from_store();
    co_return co_await from_feed();
}

Task<Result<Reader::Batch>> Reader::from_feed()
{
    // Only a power cut can have taken what the client has seen; an event of a run that has none yet
    // is waited for. Later on a reader may be ahead of the feed, having read in the journal what
    // the feed is about to get.
    const std::int64_t last = run_->feed().last();
    const bool begins = !has_begun_ && last > 0;
    has_begun_ = last > 0;
    if (begins && after_ > last) {
        const auto whole = run_->whole();
        const auto moment = run_->feed().moment();  // Has the whole text: not for every event.
        Batch batch;
        after_ = moment.has_ended ? moment.last - 1 : moment.last;
        batch.frames.push_back(
            snapshot_event(after_, moment.has_ended ? view(whole->answer.value())
                                                    : unfinished_answer(*whole, moment.text)));
        co_return batch;
    }
    const auto seen = run_->feed().look(after_, bytes_of_a_read);
    if (seen.is_behind) co_return co_await from_journal();
    is_live_ = true;  // The ring has all that is missing.
    if (seen.frames.empty() && !seen.has_ended && !seen.was_left) {
        const std::int64_t known = has_begun_ ? after_ : 0;
        if (!co_await run_->feed().wait(follower_, known)) co_return Batch{.is_last = true};
        co_return co_await from_feed();
    }
    after_ += static_cast<std::int64_t>(seen.frames.size());
    co_return Batch{.frames = seen.frames,
                    .is_live = true,
                    .is_last = seen.has_ended,
                    .was_left = seen.was_left && !seen.has_ended};
}

Task<Result<Reader::Batch>> Reader::from_journal()
{
    auto records =
        co_await journal_.read(run_->id(), static_cast<std::uint32_t>(after_), bytes_of_a_read);
    if (!records) {
        // It has ended between the look and the read.
        auto whole = run_->whole();
        if (records.error().code != Errc::not_found || !has_ended(whole->run.status))
            co_return records.error();
        ended_ = std::move(whole);
        co_return co_await from_store();
    }
    Batch batch{.is_live = is_live_};
    for (auto& record : *records) {
        batch.frames.push_back(std::move(record.frame));
        after_ = record.number;
    }
    co_return batch;
}

Task<Result<Reader::Batch>> Reader::from_store()
{
    const std::int64_t last = ended_->run.last_number;
    if (after_ > last || !are_kept_) co_return snapshot_of_end();
    auto frames = co_await stored_frames();
    if (!frames) {
        if (frames.error().code == Errc::not_found) co_return snapshot_of_end();
        co_return frames.error();
    }
    Batch batch{.frames = std::move(*frames)};
    after_ += static_cast<std::int64_t>(batch.frames.size());
    batch.is_last = after_ >= last || batch.frames.empty();
    co_return batch;
}

// Fails with not_found where they are not kept.
Task<Result<std::vector<Frame>>> Reader::stored_frames()
{
    if (!kept_) {
        const auto events = co_await store_.runs().events(ended_->run.id);
        if (events)
            kept_ = KeptEvents::open(*events);
        else if (events.error().code != Errc::not_found)
            co_return events.error();
    }
    if (kept_) {
        auto frames = kept_->next(*ended_, after_, bytes_of_a_read);
        if (!frames) co_return not_found("The stream of this run");
        co_return std::move(*frames);
    }
    auto old = co_await store_.runs().old_frames(ended_->run.id, after_, bytes_of_a_read);
    if (!old) co_return old.error();
    std::vector<Frame> frames;
    for (std::string& frame : *old)
        frames.push_back(std::make_shared<const std::string>(std::move(frame)));
    co_return frames;
}

Reader::Batch Reader::snapshot_of_end()
{
    const std::int64_t last = ended_->run.last_number;
    Batch batch{.is_last = true};
    if (after_ != last - 1 && ended_->answer)
        batch.frames.push_back(snapshot_event(last - 1, view(*ended_->answer)));
    batch.frames.push_back(terminal_event(last, view(*ended_)));
    return batch;
}

}  // namespace parley::chat
