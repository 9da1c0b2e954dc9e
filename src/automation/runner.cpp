#include "automation/runner.hpp"

#include "automation/due_rows.hpp"
#include "automation/yield.hpp"
#include "base/log.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::automation {
namespace {

constexpr std::size_t due_at_once = 200;
constexpr std::size_t entered_at_once = 32;  // Other changes wait for these.
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
    if (!stopped_) co_await sweep();
    if (!stopped_) co_await delete_removed();
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

Task<Result<>> Runner::enter_due()
{
    if (services_.zones.empty()) co_return Result<>();  // Schedules wait for the database.
    while (!stopped_) {
        const TimePoint now = services_.clock.now();
        const auto due = co_await services_.store.automations().due(now, due_at_once);
        if (!due) co_return due.error();
        if (auto entered = co_await enter(*due, now); !entered) co_return entered;
        if (due->size() == due_at_once) continue;
        const auto next = co_await services_.store.automations().next_due();
        if (!next) co_return next.error();
        if (*next) look_at(**next);
        break;
    }
    co_return Result<>();
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

// While the store writes some of them, the next ones are computed.
Task<Result<>> Runner::enter(std::span<const store::DueAutomation> due, TimePoint now)
{
    using namespace boost::asio::experimental::awaitable_operators;
    const auto take = [&due] {
        const auto some = due.first(std::min(due.size(), entered_at_once));
        due = due.subspan(some.size());
        return some;
    };
    auto prepared = co_await prepare(take(), now);
    while (prepared && !prepared->entries.empty() && !stopped_) {
        auto [written, next] = co_await (write(std::move(*prepared)) && prepare(take(), now));
        if (!written) co_return written;
        prepared = std::move(next);
    }
    if (!prepared) co_return prepared.error();
    co_return Result<>();
}

Task<Result<Runner::Prepared>> Runner::prepare(std::span<const store::DueAutomation> due,
                                               TimePoint now)
{
    Prepared prepared;
    for (const store::DueAutomation& each : due) {
        const auto definition = Definition::read(each.automation.definition, services_.zones);
        if (definition && definition->schedule()) {
            prepared.entries.push_back(co_await entry_of(each, *definition, now));
            prepared.owners.push_back(each.automation.owner);
        } else if (auto paused = co_await pause(each.automation); !paused) {
            co_return paused.error();
        }
        co_await yield();
    }
    co_return prepared;
}

Task<Result<>> Runner::write(Prepared prepared)
{
    const auto entered = co_await services_.store.ledger().enter(std::move(prepared.entries));
    if (!entered) co_return entered.error();
    for (std::size_t i = 0; i < entered->size(); ++i)
        co_await cancel_runs(services_.runs, prepared.owners[i], (*entered)[i].to_cancel);
    co_return Result<>();
}

Task<store::DueEntry> Runner::entry_of(const store::DueAutomation& due,
                                       const Definition& definition, TimePoint now)
{
    const store::Automation& automation = due.automation;
    const api::AutomationDefinition& fields = definition.fields();
    DueScan scan(*definition.schedule(),
                 {fields.catch_up, std::chrono::seconds(fields.catch_up_window_s)},
                 automation.evaluated_until, now);
    while (!scan.step() && !stopped_) co_await yield();
    store::DueEntry entry{.automation = automation.id,
                          .revision = automation.revision,
                          .seen_until = automation.evaluated_until,
                          .new_until = now,
                          .next_at = scan.next(),
                          .has_ended = !scan.next(),
                          .now = now};
    if (!due.owner_is_disabled)
        entry.rows = rows_of(definition, automation, scan.times(), now, services_.errors);
    co_return entry;
}

// Its schedule cannot be read any more: the time zone is gone from the database.
Task<Result<>> Runner::pause(store::Automation automation)
{
    log::warn("automation paused: its schedule cannot be read",
              log::kv("automation_id", automation.id));
    const std::int64_t seen = automation.revision;
    automation.state = AutomationState::paused;
    automation.pause_reason = PauseReason::time_zone;
    automation.next_at.reset();
    automation.updated_at = services_.clock.now();
    const auto changed =
        co_await services_.store.automations().change({.automation = std::move(automation),
                                                       .seen = seen,
                                                       .is_edited = false,
                                                       .is_due_anew = true});
    if (!changed && changed.error().code != Errc::precondition_failed &&
        changed.error().code != Errc::not_found)
        co_return changed.error();
    co_return Result<>();
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
