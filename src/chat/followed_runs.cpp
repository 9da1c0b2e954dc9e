#include "chat/followed_runs.hpp"

#include "base/log.hpp"
#include "base/timer.hpp"
#include "chat/events.hpp"
#include "chat/past_events.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::chat {
namespace {

constexpr std::chrono::milliseconds between_polls{20};
constexpr std::chrono::seconds time_without_readers{5};
// The most that one poll reads of one run.
constexpr std::size_t bytes_of_a_poll = std::size_t{64} * 1024;

// The epoch is read first: it is set last (FollowedRuns::take).
journal::Wanted news_of(ActiveRun& run)
{
    const std::int64_t epoch = run.epoch();
    return {
        .run = run.id(), .after = static_cast<std::uint32_t>(run.feed().last()), .epoch = epoch};
}

// Whether a run has ended with another text than these known events have. `rest`: those of the
// ended run with higher numbers.
bool is_lost_with(const Feed::Moment& known, const store::RunWithMessages& ended,
                  const std::optional<std::vector<RunEvent>>& rest)
{
    if (!ended.answer || ended.answer->parts.empty()) return false;
    if (!rest) return known.last >= ended.run.last_number;
    std::size_t size = known.text.size();
    for (const RunEvent& event : *rest)
        if (event.type == RunEvent::Type::delta) size += event.bytes->size();
    const std::string& answer = ended.answer->parts.front();
    return size != answer.size() || !answer.starts_with(known.text);
}

}  // namespace

Task<Result<ActiveRunRef>> FollowedRuns::follow(store::RunWithMessages stored)
{
    if (auto known = find(stored.run.id)) {
        if (auto read = co_await catch_up(known, Past::is_old); !read) co_return read.error();
        known->renew_whole(std::move(stored));
        co_return known;
    }
    const Executor loop = co_await boost::asio::this_coro::executor;
    auto run = std::make_shared<ActiveRun>(stored.run.id, stored.run.owner,
                                           queues_.of(stored.run.owner, stored.run.model), loop);
    run->set_followed();
    run->set_whole(std::move(stored));
    // First, so that a reader that resumes finds all events up to now.
    auto past = co_await read_past_events(context_.journal, run->id());
    if (!past) co_return past.error();
    if (past->last > 0)
        run->feed().restore(past->last, std::move(past->text), std::move(past->deltas));
    if (auto read = co_await catch_up(run, Past::is_new); !read) co_return read.error();
    if (auto added = add(run, loop, IfKnown::share)) co_return added;
    co_return Error{Errc::shutting_down, "The server is shutting down."};
}

// A reader that comes from another server may have events that were added since the last poll.
Task<Result<>> FollowedRuns::catch_up(ActiveRunRef run, Past past)
{
    std::vector<journal::Wanted> wanted{news_of(*run)};
    const std::uint32_t after = wanted.front().after;
    auto news = co_await context_.journal.read_all(std::move(wanted), bytes_of_a_poll);
    if (!news) co_return news.error();
    for (journal::NewEvents& each : *news) {
        if (each.has_ended) co_return not_found("The run");
        if (auto taken = co_await take(run, std::move(each), after, past); !taken)
            co_return taken.error();
    }
    co_return Result<>();
}

// The server that has taken the run over may have continued before the events that readers have,
// and have written as many since.
Task<Result<bool>> FollowedRuns::has_same_past(ActiveRunRef run)
{
    const auto known = run->feed().moment();
    const auto deltas = run->feed().deltas();
    if (known.last == 0) co_return true;
    auto past = co_await read_past_events(context_.journal, run->id());
    if (!past) co_return past.error();
    // It has ended since, or starts over.
    if (past->is_whole && past->last < known.last) co_return not_found("The run");
    co_return past->text.starts_with(known.text) &&
        past->deltas.recipe().starts_with(deltas.recipe());
}

// Some of them may be known: a page is read while another one is added. `after`: those that were
// asked for.
Task<Result<>> FollowedRuns::take(ActiveRunRef run, journal::NewEvents news, std::uint32_t after,
                                  Past past)
{
    // A crash of the database has lost events, and the server that would send them again has died,
    // too: another one continues before them.
    bool is_lost = news.epoch && news.epoch->last < after;
    if (news.epoch && !is_lost && past == Past::is_old) {
        const auto is_same = co_await has_same_past(run);
        if (!is_same) co_return is_same.error();  // The next poll tries again.
        is_lost = !*is_same;
    }
    if (is_lost) co_return co_await replace_lost(run, news.epoch->number);
    if (news.epoch) run->set_epoch(news.epoch->number);
    std::vector<RunEvent> events;
    events.reserve(news.records.size());
    for (journal::Record& record : news.records)
        events.push_back(event_of_record(record.number, std::move(record.bytes)));
    // If a reader has replaced the feed meanwhile, the next poll gets those in between, too.
    if (!events.empty() && events.front().number <= run->feed().last() + 1)
        run->feed().push(events);
    co_return Result<>();
}

// Readers get a snapshot of what there is. If that cannot be read now, they come back for it.
Task<Result<>> FollowedRuns::replace_lost(ActiveRunRef run, std::int64_t epoch)
{
    log::warn("the database has lost events of a run; its readers get a snapshot",
              log::kv("run_id", run->id()));
    auto past = co_await read_past_events(context_.journal, run->id());
    if (!past || past->last == 0) {
        remove(run);
        run->feed().suspend();
        co_return Error{Errc::storage_unavailable, "The events of this run cannot be read now."};
    }
    run->feed().replace(past->last, std::move(past->text), std::move(past->deltas));
    run->set_epoch(epoch);
    co_return Result<>();
}

void FollowedRuns::adopt(const ActiveRunRef& run)
{
    run->set_followed();
    if (!add(run, run->loop(), IfKnown::add)) run->feed().suspend();
}

// Returns the existing entry if it is to be shared; null after stop().
ActiveRunRef FollowedRuns::add(const ActiveRunRef& run, const Executor& loop, IfKnown if_known)
{
    MutexLock lock(mutex_);
    if (is_stopped_) return nullptr;
    const Entry entry{run, context_.options.clock->steady()};
    const auto known = if_known == IfKnown::share ? runs_.find(run->id()) : runs_.end();
    const ActiveRunRef added =
        known != runs_.end() ? known->second.run : runs_.emplace(run->id(), entry)->second.run;
    const bool was_polling = std::exchange(is_polling_, true);
    lock.unlock();
    if (!was_polling) begin_polling(loop);
    return added;
}

void FollowedRuns::begin_polling(const Executor& loop)
{
    boost::asio::co_spawn(loop, poll(loop), [this, loop](const std::exception_ptr& failure) {
        if (failure) log::error("following the runs of other servers failed; starting over");
        end_polling(loop);
    });
}

void FollowedRuns::end_polling(const Executor& loop)
{
    MutexLock lock(mutex_);
    is_polling_ = !runs_.empty() && !is_stopped_;  // A run may have been added since.
    const bool goes_on = is_polling_;
    if (!goes_on) idle_.notify_all();
    lock.unlock();
    if (goes_on) begin_polling(loop);
}

ActiveRunRef FollowedRuns::find(const std::string& id) const
{
    const MutexLock lock(mutex_);
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : found->second.run;
}

std::vector<ActiveRunRef> FollowedRuns::all() const
{
    const MutexLock lock(mutex_);
    std::vector<ActiveRunRef> runs;
    runs.reserve(runs_.size());
    for (const auto& [id, entry] : runs_) runs.push_back(entry.run);
    return runs;
}

void FollowedRuns::remove(const ActiveRunRef& run)
{
    const MutexLock lock(mutex_);
    std::erase_if(runs_, [&run](const auto& each) { return each.second.run == run; });
}

std::vector<ActiveRunRef> FollowedRuns::still_followed()
{
    const MutexLock lock(mutex_);
    const SteadyPoint now = context_.options.clock->steady();
    std::vector<ActiveRunRef> runs;
    for (auto each = runs_.begin(); each != runs_.end();) {
        Entry& entry = each->second;
        // Handles of the run count, too: they may open a reader.
        if (entry.run.use_count() > 1) entry.used_at = now;
        if (is_stopped_ || now - entry.used_at > time_without_readers) {
            each = runs_.erase(each);
            continue;
        }
        runs.push_back(entry.run);
        ++each;
    }
    return runs;
}

void FollowedRuns::stop()
{
    std::vector<ActiveRunRef> followed = all();
    {
        const MutexLock lock(mutex_);
        is_stopped_ = true;
    }
    for (const ActiveRunRef& run : followed) run->feed().suspend();
}

bool FollowedRuns::wait_until_idle(std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (is_polling_)
        if (!idle_.wait_until(lock, deadline)) return !is_polling_;
    return true;
}

Task<> FollowedRuns::poll(Executor loop)
{
    for (;;) {
        auto runs = still_followed();
        if (runs.empty()) co_return;
        co_await poll_once(std::move(runs));
        Timer timer(loop, between_polls);
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
}

Task<> FollowedRuns::poll_once(std::vector<ActiveRunRef> runs)
{
    std::vector<journal::Wanted> wanted;
    wanted.reserve(runs.size());
    std::vector<std::uint32_t> after;
    after.reserve(runs.size());
    for (const ActiveRunRef& run : runs) after.push_back(wanted.emplace_back(news_of(*run)).after);
    // If the database does not answer, readers wait: so does the server that executes the run.
    auto news = co_await context_.journal.read_all(std::move(wanted), bytes_of_a_poll);
    if (!news) co_return;
    for (journal::NewEvents& each : *news) {
        const auto of = each.of;
        const bool has_ended = each.has_ended;
        if (!co_await take(runs.at(of), std::move(each), after.at(of), Past::is_old)) continue;
        if (has_ended)
            co_await end(runs.at(of));
        else
            co_await notice_begin(runs.at(of));
    }
}

// A run that waited has begun to answer.
Task<> FollowedRuns::notice_begin(ActiveRunRef run)
{
    if (run->whole()->run.status != RunStatus::queued || run->feed().last() < 2) co_return;
    auto stored = co_await context_.store.runs().find_run(run->owner(), run->id());
    if (stored) run->renew_whole(std::move(*stored));
}

Task<> FollowedRuns::end(ActiveRunRef run)
{
    auto stored = co_await context_.store.runs().find_run(run->owner(), run->id());
    if (!stored && stored.error().code != Errc::not_found) co_return;  // The next poll tries again.
    if (stored && !has_ended(stored->run.status)) co_return;
    const auto known = run->feed().moment();
    auto rest =
        stored ? co_await rest_of_events(context_.store, *stored, known.last) : std::nullopt;
    // As in take(), if this one has not heard of the server that has ended the run.
    const bool is_lost = stored && is_lost_with(known, *stored, rest);
    if (is_lost)
        rest = co_await rest_of_events(context_.store, *stored, stored->run.last_number - 1);
    remove(run);
    if (stored) run->set_whole(std::move(*stored));
    // Deleted, or its events were not kept: the client gets what there is when it comes back.
    if (!rest) co_return run->feed().suspend();
    RunEvent last = std::move(rest->back());
    rest->pop_back();
    if (is_lost) run->feed().replace(last.number - 1, run->whole()->answer->parts.front(), {});
    if (!rest->empty()) run->feed().push(*rest);
    run->feed().end(std::move(last));
}

}  // namespace parley::chat
