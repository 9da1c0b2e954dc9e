#include "chat/ended_run.hpp"

#include "chat/events.hpp"
#include "chat/views.hpp"

#include <algorithm>
#include <utility>

namespace parley::chat {
namespace {

// Half of a user's share of the memory for responses, so that a user can always read one run. The
// length of an answer is limited elsewhere.
constexpr std::size_t most_charged = std::size_t{4} << 20U;

std::size_t bytes_in(const store::Message& message)
{
    std::size_t bytes = sizeof(message);
    for (const std::string& part : message.parts) bytes += part.size();
    return bytes;
}

RunEvent last_of(const store::RunWithMessages& whole, const std::optional<KeptEvents>& kept,
                 const RunErrors& errors)
{
    const std::int64_t number = whole.run.last_number;
    if (kept) return {number, RunEvent::Type::ended, kept->last_frame()};
    return ended_event(number, view(whole, errors));
}

std::optional<RunEvent> snapshot_of(const store::RunWithMessages& whole)
{
    if (!whole.answer) return std::nullopt;
    return snapshot_event(whole.run.last_number - 1, view(*whole.answer));
}

}  // namespace

EndedRun::EndedRun(Whole whole, std::optional<KeptEvents> kept, const RunErrors& errors)
    : whole_(std::move(whole)),
      kept_(std::move(kept)),
      last_(last_of(*whole_, kept_, errors)),
      snapshot_(snapshot_of(*whole_))
{
}

std::size_t EndedRun::bytes() const
{
    std::size_t bytes = sizeof(*this) + bytes_in(whole_->question) + last_.bytes->size();
    if (whole_->answer) bytes += bytes_in(*whole_->answer);
    if (snapshot_) bytes += snapshot_->bytes->size();
    if (kept_) bytes += kept_->bytes();
    return bytes;
}

Result<> EndedRun::pay(const TakeMemory& take)
{
    const MutexLock lock(mutex_);
    if (charge_ || !take) return {};
    auto taken = take(std::min(bytes(), most_charged));
    if (!taken) return taken.error();
    charge_ = std::move(*taken);
    return {};
}

Task<Result<EndedRunRef>> EndedRuns::share(EndedRun::Whole whole, bool with_events, TakeMemory take)
{
    EndedRunRef shared = find(whole->run.id);
    if (!shared) {
        std::optional<KeptEvents> kept;
        if (with_events) {
            const auto events = co_await store_.runs().events(whole->run.id);
            if (events)
                kept = KeptEvents::open(*events, *whole);
            else if (events.error().code != Errc::not_found)
                co_return events.error();
        }
        shared = add(std::make_unique<EndedRun>(std::move(whole), std::move(kept), errors_));
    }
    if (auto paid = shared->pay(take); !paid) co_return paid.error();
    co_return shared;
}

EndedRunRef EndedRuns::find(const std::string& id) const
{
    const MutexLock lock(mutex_);
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : found->second.lock();
}

// Returns the existing entry if another reader was faster.
EndedRunRef EndedRuns::add(std::unique_ptr<EndedRun> made)
{
    EndedRunRef added(made.release(), [this](EndedRun* run) { remove(run); });
    const MutexLock lock(mutex_);
    std::weak_ptr<EndedRun>& entry = runs_[added->whole().run.id];
    if (auto first = entry.lock()) return first;
    entry = added;
    return added;
}

void EndedRuns::remove(EndedRun* run)
{
    const std::unique_ptr<EndedRun> removed(run);
    const MutexLock lock(mutex_);
    const auto found = runs_.find(run->whole().run.id);
    if (found != runs_.end() && found->second.expired()) runs_.erase(found);
}

std::size_t EndedRuns::size() const
{
    const MutexLock lock(mutex_);
    return runs_.size();
}

}  // namespace parley::chat
