#include "automation/test_clock.hpp"

#include "automation/clock_steps.hpp"
#include "automation/due_rows.hpp"
#include "automation/yield.hpp"

namespace parley::automation {
namespace {

constexpr std::size_t automations_of_a_page = 10;  // A definition may have a megabyte.
constexpr std::size_t most_times_per_step = 100;
constexpr std::size_t rows_of_a_step = 200;  // Other changes wait for these.

Error refused(std::string code, std::string why)
{
    return validation_failed({{"#/now", std::move(code), std::move(why)}});
}

Error too_much_is_due()
{
    return refused("too_large",
                   "more than 10,000 runs would be due until then, or more than 16 MiB of their "
                   "variables; go in shorter steps");
}

Result<> check_mode(const Owner& owner)
{
    if (owner.test) return {};
    return Error{Errc::insufficient_scope, "Only a test token has a test clock."};
}

Result<> check_time(TimePoint from, TimePoint to)
{
    if (to < from)
        return refused("out_of_range",
                       "must not be before " + rfc3339(from) + ": the clock goes forward only");
    if (to - from > TestClock::farthest)
        return refused("out_of_range", "must be at most 10 years after " + rfc3339(from));
    return {};
}

}  // namespace

Task<Result<std::optional<TimePoint>>> test_time_of(store::Store& store, Owner owner)
{
    if (!owner.test) co_return std::optional<TimePoint>();
    co_return co_await store.ledger().test_clock(std::move(owner));
}

Task<Result<TimePoint>> time_of(store::Store& store, const Clock& clock, Owner owner)
{
    const auto time = co_await test_time_of(store, std::move(owner));
    if (!time) co_return time.error();
    co_return time->value_or(clock.now());
}

Task<Result<std::optional<TimePoint>>> TestClock::get(Owner owner) const
{
    if (auto may = check_mode(owner); !may) co_return may.error();
    co_return co_await store_.ledger().test_clock(std::move(owner));
}

Task<Result<>> TestClock::set(Owner owner, std::optional<TimePoint> to)
{
    if (auto may = check_mode(owner); !may) co_return may.error();
    // Each holds definitions and thousands of rows; those that wait hold nothing.
    const auto turn = co_await turns_.take(owner.user);
    if (!turn) co_return Error{Errc::overloaded, "Several moves of your test clock are waiting."};
    constexpr int most_tries = 10;  // Runs and requests may change an automation in between.
    // A run takes no time of this clock: what falls due until the end overlaps none of these runs.
    auto hold = hold_(owner);
    std::optional<std::int64_t> older_until;
    for (int tries = 1;; ++tries) {
        const auto change = co_await change_to(owner, to);
        if (!change) co_return change.error();
        auto entered = co_await enter(*change, older_until);
        if (!entered && entered.error().code == Errc::precondition_failed && tries < most_tries)
            continue;
        hold.reset();
        wake_();
        if (!entered) co_return entered;
        // Retries of webhooks may be due.
        store_.events().signal().grew({std::move(owner)});
        co_return Result<>();
    }
}

Task<Result<>> TestClock::enter(const store::TestClockChange& change,
                                std::optional<std::int64_t>& older_until)
{
    for (store::TestClockChange& step : in_steps(change, rows_of_a_step)) {
        step.older_until = older_until;
        auto entered = co_await store_.ledger().set_test_clock(std::move(step));
        if (!entered) co_return entered.error();
        older_until = entered->older_until;
        co_await cancel_runs(runs_, change.owner, std::move(entered->to_cancel));
    }
    co_return Result<>();
}

Task<Result<store::TestClockChange>> TestClock::change_to(Owner owner, std::optional<TimePoint> to)
{
    const auto seen = co_await store_.ledger().test_clock(owner);
    if (!seen) co_return seen.error();
    const TimePoint now = clock_.now();
    if (to)
        if (auto fits = check_time(seen->value_or(now), *to); !fits) co_return fits.error();
    store::TestClockChange change{.owner = owner, .seen = *seen, .to = to, .now = now};
    Room room;
    std::optional<store::Automations::Position> after;
    do {
        const auto page = co_await store_.automations().list(
            owner, {.state = AutomationState::active}, after, automations_of_a_page);
        if (!page) co_return page.error();
        for (const store::Automation& each : page->items) {
            if (!each.next_at) continue;
            co_await yield();
            const auto definition = Definition::read(each.definition, zones_);
            if (!definition || !definition->schedule()) continue;
            auto entry = co_await entry_of(each, *definition, to.value_or(now), now, room);
            if (!entry) co_return entry.error();
            change.entries.push_back(std::move(*entry));
        }
        after = page->next;
    } while (after);
    co_return change;
}

// All times until then are on time. With a clock that goes back to real time there are none.
Task<Result<store::DueEntry>> TestClock::entry_of(const store::Automation& automation,
                                                  const Definition& definition, TimePoint until,
                                                  TimePoint now, Room& room) const
{
    std::vector<DueTime> times;
    std::optional<TimePoint> next;
    TimePoint at = std::min(automation.evaluated_until, until);
    std::size_t per_step = 2;
    for (bool goes_on = true; goes_on; per_step = std::min(per_step * 4, most_times_per_step)) {
        const auto some = definition.schedule()->occurrences(at, per_step);
        goes_on = !some.empty();
        for (const schedule::Occurrence& each : some) {
            if (each.at > until) {
                next = each.at;
                goes_on = false;
                break;
            }
            at = each.at;
            times.push_back({.at = at});
        }
        if (times.size() > room.rows) co_return too_much_is_due();
        if (goes_on) co_await yield();
    }
    if (!times.empty()) {  // The rows differ by their times alone.
        const auto first = row_of(definition, automation, times.front(), now, errors_);
        const std::size_t bytes = first.values.size() * times.size();
        if (bytes > room.bytes) co_return too_much_is_due();
        room.bytes -= bytes;
        room.rows -= times.size();
    }
    auto rows = co_await rows_of(definition, automation, times, now, errors_);
    for (store::AutomationRun& row : rows)
        if (row.not_before) row.not_before = row.scheduled_for;
    co_return store::DueEntry{.automation = automation.id,
                              .revision = automation.revision,
                              .seen_until = automation.evaluated_until,
                              .new_until = until,
                              .next_at = next,
                              .has_ended = !next,
                              .rows = std::move(rows),
                              .now = now};
}

}  // namespace parley::automation
