// How the runner enters due times into the ledger.
#include "automation/due_rows.hpp"
#include "automation/runner.hpp"
#include "automation/yield.hpp"
#include "base/log.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>

#include <algorithm>
#include <tuple>

namespace parley::automation {
namespace {

constexpr std::size_t due_at_once = 200;
constexpr std::size_t entered_at_once = 20;  // Other changes wait for these.
// At least so long for that many, so that requests find the processor and the disk free in between;
// 10,000 that are due at one moment are in the ledger within a second nevertheless.
constexpr std::chrono::milliseconds time_for_these{1};

// The earliest first. Those of one owner stand together: a transaction that enters rows of many
// owners extends many event logs, and wakes all who follow them.
void sort_by_time_and_owner(std::vector<store::DueAutomation>& due)
{
    std::ranges::sort(due, {}, [](const store::DueAutomation& each) {
        const store::Automation& automation = each.automation;
        return std::tie(automation.next_at, automation.owner, automation.id);
    });
}

}  // namespace

Task<Result<>> Runner::enter_due()
{
    if (services_.zones.empty()) co_return Result<>();  // Schedules wait for the database.
    while (!stopped_) {
        const TimePoint now = services_.clock.now();
        auto due = co_await services_.store.automations().due(now, due_at_once);
        if (!due) co_return due.error();
        sort_by_time_and_owner(*due);
        if (auto entered = co_await enter(*due, now); !entered) co_return entered;
        if (due->size() == due_at_once) continue;
        const auto next = co_await services_.store.automations().next_due();
        if (!next) co_return next.error();
        if (*next) look_at(**next);
        break;
    }
    co_return Result<>();
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
        const SteadyPoint end = services_.clock.steady() + time_for_these;
        auto [written, next] = co_await (write(std::move(*prepared)) && prepare(take(), now));
        if (!written) co_return written;
        prepared = std::move(next);
        const auto left = end - services_.clock.steady();
        if (prepared && !prepared->entries.empty() && left.count() > 0) co_await sleep(left);
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
    if (due.owner_is_disabled) co_return entry;
    const std::vector<DueTime> times = scan.times();
    entry.rows = co_await rows_of(definition, automation, times, now, services_.errors);
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

}  // namespace parley::automation
