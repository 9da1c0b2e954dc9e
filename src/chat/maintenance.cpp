#include "chat/maintenance.hpp"

#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>

#include <string_view>
#include <utility>

namespace parley::chat {
namespace {

// A message has to be found within 2 seconds.
constexpr std::chrono::milliseconds time_between_looks{500};
// Changes that this server did not make.
constexpr std::chrono::minutes time_between_index_checks{1};
constexpr std::chrono::hours time_between_deletions{1};
// A crash loses the usage of this time.
constexpr std::chrono::seconds time_between_usage{1};
constexpr std::size_t messages_at_once = 32;  // Other changes wait for these.
constexpr std::size_t sessions_at_once = 100;

}  // namespace

void Maintenance::start(Executor loop)
{
    timer_ = std::make_unique<Timer>(loop);
    {
        const MutexLock lock(mutex_);
        is_running_ = true;
    }
    boost::asio::co_spawn(loop, run(),
                          [self = shared_from_this()](const std::exception_ptr& failure) {
                              self->note_end(failure);
                          });
}

// An exception is a bug.
void Maintenance::note_end(const std::exception_ptr& failure)
{
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& bug) {
        log::error("the maintenance of chats failed", log::kv("reason", bug.what()));
    }
    const MutexLock lock(mutex_);
    is_running_ = false;
    ended_.notify_all();
}

void Maintenance::stop()
{
    stopped_ = true;
    if (!timer_) return;
    boost::asio::post(timer_->get_executor(),
                      [self = shared_from_this()] { self->timer_->cancel(); });
}

bool Maintenance::wait_until_idle(std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (is_running_)
        if (!ended_.wait_until(lock, deadline)) return !is_running_;
    return true;
}

Task<> Maintenance::run()
{
    while (!stopped_) {
        co_await store_usage();
        co_await complete_index();
        if (!stopped_) co_await delete_idle();
        if (!stopped_) co_await sleep(time_between_looks);
    }
}

Task<> Maintenance::sleep(std::chrono::nanoseconds wait)
{
    timer_->expires_after(wait);
    boost::system::error_code ignored;
    co_await timer_->async_wait(boost::asio::redirect_error(awaiting, ignored));
}

Task<> Maintenance::complete_index()
{
    const std::uint64_t growths = services_.store.events().signal().growths();
    const SteadyPoint begun = services_.clock.steady();
    if (growths == indexed_growths_ && begun < next_index_) co_return;
    next_index_ = begun + time_between_index_checks;
    while (!stopped_) {
        const SteadyPoint before = services_.clock.steady();
        const auto indexed = co_await services_.store.search().update_index(messages_at_once);
        if (!indexed) {
            tell_index_failure(indexed.error());
            co_return;
        }
        is_index_failing_ = false;
        if (*indexed == 0) break;
        if (services_.store.search().is_done_by_another()) {
            next_index_ = begun;  // It may stop: the next look is soon.
            co_return;
        }
        co_await store_usage();
        // Half of the time is for others, however much there is to index.
        co_await sleep(services_.clock.steady() - before);
    }
    indexed_growths_ = growths;
}

// It is tried again twice a second: only the first failure in a row is news.
void Maintenance::tell_index_failure(const Error& error)
{
    constexpr std::string_view message = "cannot update the search index; retrying";
    const auto reason = log::kv("reason", error.message);
    const auto detail = log::kv("detail", error.detail);
    if (std::exchange(is_index_failing_, true))
        log::debug(message, reason, detail);
    else
        log::warn(message, reason, detail);
}

Task<> Maintenance::store_usage()
{
    const SteadyPoint now = services_.clock.steady();
    if (now < next_usage_) co_return;
    next_usage_ = now + time_between_usage;
    auto counted = services_.usage.take();
    if (counted.empty()) co_return;
    const auto stored = co_await services_.store.usage().add(counted.used, counted.settled);
    if (stored) co_return;
    services_.usage.put_back(std::move(counted));
    log::debug("cannot store usage", log::kv("reason", stored.error().message));
}

Task<> Maintenance::delete_idle()
{
    const SteadyPoint now = services_.clock.steady();
    if (now < next_deletion_ || (services_.may_delete && !services_.may_delete())) co_return;
    next_deletion_ = now + time_between_deletions;
    const auto idle = co_await services_.store.sessions().idle_sessions(
        services_.clock.now(), max_days_, sessions_at_once);
    if (!idle) {
        log::debug("cannot look for old sessions", log::kv("reason", idle.error().message));
        co_return;
    }
    for (const store::IdleSession& session : *idle) {
        if (stopped_) co_return;
        const auto removed =
            co_await services_.sessions.remove(session.owner, session.id, session.revision);
        // It was used or deleted meanwhile, or cannot be deleted now.
        if (!removed)
            log::debug("an old session was not deleted", log::kv("session_id", session.id),
                       log::kv("reason", removed.error().message));
    }
    if (idle->size() == sessions_at_once) next_deletion_ = now;
}

}  // namespace parley::chat
