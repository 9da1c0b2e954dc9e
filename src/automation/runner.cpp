#include "automation/runner.hpp"

#include "base/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::automation {
namespace {

// The clock may be set: it is looked at often, the store only if something is due.
constexpr std::chrono::seconds longest_sleep{1};
constexpr std::chrono::hours time_between_sweeps{1};
constexpr std::size_t rows_of_a_sweep = 500;

}  // namespace

void Runner::start(Executor loop)
{
    timer_ = std::make_unique<Timer>(loop);
    spawn(run());
}

void Runner::spawn(Task<> task)
{
    {
        const MutexLock lock(mutex_);
        ++tasks_;
    }
    boost::asio::co_spawn(timer_->get_executor(), std::move(task),
                          [self = shared_from_this()](const std::exception_ptr& failure) {
                              self->note_end(failure);
                          });
}

// An exception is a bug: it is logged, and ends only the task that threw it.
void Runner::note_end(const std::exception_ptr& failure)
{
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& bug) {
        log::error("a task of automations failed", log::kv("reason", bug.what()));
    }
    const MutexLock lock(mutex_);
    --tasks_;
    ended_.notify_all();
}

void Runner::wake()
{
    if (!timer_) return;
    boost::asio::post(timer_->get_executor(), [self = shared_from_this()] {
        self->next_ = {};
        self->timer_->cancel();
    });
}

void Runner::stop()
{
    stopped_ = true;
    wake();
}

bool Runner::wait_until_idle(std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (tasks_ > 0)
        if (!ended_.wait_until(lock, deadline)) return tasks_ == 0;
    return true;
}

Task<> Runner::run()
{
    while (!stopped_ && !co_await watch_running()) co_await sleep(longest_sleep);
    if (!stopped_) spawn(recount());
    while (!stopped_) {
        try {
            co_await look();
        } catch (const std::exception& bug) {
            log::error("cannot look for due automations", log::kv("reason", bug.what()));
        }
        const TimePoint now = services_.clock.now();
        if (!stopped_ && next_ > now) co_await sleep(next_ - now);
    }
    listeners_.stop();
}

Task<> Runner::look()
{
    const TimePoint now = services_.clock.now();
    const bool was_set_back = next_ > now + options_.time_between_looks;
    if (next_ <= now || was_set_back) {
        next_ = now + options_.time_between_looks;
        auto done = co_await enter_due();
        if (done && !stopped_) done = co_await follow_logs();
        if (done && !stopped_) done = co_await start_rows();
        if (!done) {
            log::debug("cannot look for due automations", log::kv("reason", done.error().message));
            look_at(now + longest_sleep);
        }
    }
    if (!stopped_) co_await cancel_abandoned();
    if (!stopped_) co_await sweep();
    if (!stopped_) co_await delete_removed();
}

Task<> Runner::cancel_abandoned()
{
    const SteadyPoint now = services_.clock.steady();
    if (now < next_check_) co_return;
    next_check_ = now + longest_sleep;
    const auto abandoned = co_await services_.store.ledger().abandoned_runs();
    if (!abandoned) co_return;
    next_check_ = now + options_.time_between_looks;
    for (const auto& each : *abandoned)
        co_await cancel_runs(services_.runs, each.owner, {each.run});
}

Task<> Runner::sleep(std::chrono::nanoseconds wait)
{
    timer_->expires_after(std::min<std::chrono::nanoseconds>(wait, longest_sleep));
    boost::system::error_code ignored;
    co_await timer_->async_wait(boost::asio::redirect_error(awaiting, ignored));
}

// Rows that an earlier process has begun: their runs were resumed, here or by another server. False
// if they cannot be read.
Task<bool> Runner::watch_running()
{
    const auto rows = co_await services_.store.ledger().running();
    const TimePoint now = services_.clock.now();
    const auto starts = co_await services_.store.ledger().starts_since(now - StartLimit::window);
    if (!rows || !starts) co_return false;
    for (const auto& each : *starts)
        limit_.count_earlier({.owner = each.owner, .token = each.token}, now - each.at);
    for (const store::AutomationRun& row : *rows) {
        if (!services_.runs.is_running(row.attempts.back().run)) continue;
        active_.emplace(row.id, row.owner);
        spawn(watch(row));
    }
    co_return true;
}

Task<> Runner::watch(store::AutomationRun row)
{
    const auto run = co_await services_.runs.find(row.owner, row.attempts.back().run);
    if (run) co_await until_ended(*run);
    active_.erase(row.id);
    wake();
}

Task<Result<>> Runner::follow_logs()
{
    auto owners = co_await listeners_.new_owners();
    if (!owners) co_return owners.error();
    for (Owner& owner : *owners) spawn(follow(std::move(owner)));
    co_return Result<>();
}

Task<> Runner::follow(Owner owner)
{
    const auto followed = co_await listeners_.follow(std::move(owner));
    if (!followed)
        log::debug("cannot follow an event log", log::kv("reason", followed.error().message));
    // An automation may have begun to listen while the last one stopped.
    look_at(services_.clock.now() + longest_sleep);
}

// Rows of automations that were deleted, some at a time: other changes come in between.
Task<> Runner::delete_removed()
{
    const auto has_more = co_await services_.store.automations().sweep_removed(rows_of_a_sweep);
    if (has_more && *has_more) look_at(services_.clock.now());
}

Task<> Runner::sweep()
{
    const SteadyPoint now = services_.clock.steady();
    if (now < next_sweep_ || (services_.may_sweep && !services_.may_sweep())) co_return;
    next_sweep_ = now + time_between_sweeps;
    const auto removed = co_await services_.store.ledger().sweep(
        services_.clock.now() - options_.rows_keep, rows_of_a_sweep);
    if (removed && *removed == rows_of_a_sweep) next_sweep_ = now;
}

}  // namespace parley::automation
