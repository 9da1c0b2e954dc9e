#include "chat/reader.hpp"

#include "chat/views.hpp"

#include <utility>

namespace parley::chat {
namespace {

// How much of the past is read at once: what a reader waits to send costs no more memory.
constexpr std::size_t bytes_of_a_read = std::size_t{16} * 1024;

// A batch in memory: a frame of a short delta takes half of its size once more.
constexpr std::size_t bytes_of_a_batch = 2 * bytes_of_a_read;

}  // namespace

Reader::Reader(Sources sources, ActiveRunRef run, std::int64_t after, TakeMemory take)
    : sources_(sources),
      run_(std::move(run)),
      take_(std::move(take)),
      follower_(run_->feed().follow()),
      after_(after)
{
}

Reader::Reader(Sources sources, store::RunWithMessages ended, std::int64_t after, bool are_kept,
               TakeMemory take)
    : sources_(sources),
      unshared_(std::move(ended)),
      take_(std::move(take)),
      after_(after),
      are_kept_(are_kept)
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
    is_live_ = true;  // The ring has all that is missing, and shares it with all.
    charge_.reset();
    if (seen.frames.empty() && !seen.has_ended && !seen.was_suspended) {
        const std::int64_t known = has_begun_ ? after_ : 0;
        if (!co_await run_->feed().wait(follower_, known)) co_return Batch{.is_last = true};
        co_return co_await from_feed();
    }
    after_ += static_cast<std::int64_t>(seen.frames.size());
    co_return Batch{.frames = seen.frames,
                    .is_live = true,
                    .is_last = seen.has_ended,
                    .was_suspended = seen.was_suspended && !seen.has_ended};
}

Task<Result<Reader::Batch>> Reader::from_journal()
{
    if (auto paid = pay_for_batch(); !paid) co_return paid.error();
    auto records = co_await sources_.journal.read(run_->id(), static_cast<std::uint32_t>(after_),
                                                  bytes_of_a_read);
    if (!records) {
        // It has ended between the look and the read.
        auto whole = run_->whole();
        if (records.error().code != Errc::not_found || !has_ended(whole->run.status))
            co_return records.error();
        unshared_ = std::move(whole);
        co_return co_await from_store();
    }
    Batch batch{.is_live = is_live_};
    for (auto& record : *records) {
        batch.frames.push_back(std::make_shared<const std::string>(std::move(record.bytes)));
        after_ = record.number;
    }
    co_return batch;
}

Task<Result<Reader::Batch>> Reader::from_store()
{
    if (unshared_) {
        if (auto shared = co_await share(*std::exchange(unshared_, std::nullopt)); !shared)
            co_return shared.error();
    }
    const std::int64_t last = ended_->whole().run.last_number;
    if (after_ > last || !are_kept_) co_return snapshot_of_end();
    if (auto paid = pay_for_batch(); !paid) co_return paid.error();
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

Task<Result<>> Reader::share(store::RunWithMessages ended)
{
    auto shared = co_await sources_.ended_runs.share(std::move(ended), are_kept_, take_);
    if (!shared) co_return shared.error();
    ended_ = std::move(*shared);
    kept_ = ended_->kept();
    co_return Result<>();
}

Result<> Reader::pay_for_batch()
{
    if (charge_ || !take_) return {};
    auto taken = take_(bytes_of_a_batch);
    if (!taken) return taken.error();
    charge_ = std::move(*taken);
    return {};
}

// Fails with not_found where they are not kept.
Task<Result<std::vector<Frame>>> Reader::stored_frames()
{
    const store::RunWithMessages& whole = ended_->whole();
    if (kept_) {
        auto frames = kept_->next(whole, after_, bytes_of_a_read);
        if (!frames) co_return not_found("The stream of this run");
        co_return std::move(*frames);
    }
    auto old = co_await sources_.store.runs().old_frames(whole.run.id, after_, bytes_of_a_read);
    if (!old) co_return old.error();
    std::vector<Frame> frames;
    for (std::string& frame : *old)
        frames.push_back(std::make_shared<const std::string>(std::move(frame)));
    co_return frames;
}

Reader::Batch Reader::snapshot_of_end()
{
    Batch batch{.is_last = true};
    if (after_ != ended_->whole().run.last_number - 1 && ended_->snapshot())
        batch.frames.push_back(ended_->snapshot());
    batch.frames.push_back(ended_->terminal());
    return batch;
}

}  // namespace parley::chat
