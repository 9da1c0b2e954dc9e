#include "automation/listeners.hpp"

#include "automation/automations.hpp"
#include "automation/test_clock.hpp"
#include "base/id.hpp"
#include "base/timer.hpp"
#include "chat/event_view.hpp"
#include "fields/write.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace parley::automation {
namespace {

constexpr std::size_t events_at_once = 100;
// So many unwanted events are read again rather than noted one by one.
constexpr std::int64_t most_unnoted = 500;
// Rows that the events of a log may enter in a minute. Automations that hear of each other's runs
// could enter any number; the rest of the log waits.
constexpr std::size_t most_rows_per_minute = 600;
// Automations that lead to each other, one after the other: the next one is skipped.
constexpr std::int64_t longest_chain = 4;
// Rows that are remembered because their events start nothing. Others are looked up again.
constexpr std::size_t most_ended = 10'000;

bool hears(const store::Automation& listener, const Listening& listening, const store::Event& event)
{
    const bool is_its_own = event.cause.automation == listener.id || event.subject == listener.id ||
                            event.parent == listener.id;
    // A row that was skipped as a loop ends the chain: its events start nothing.
    return !is_its_own && event.cause.depth <= longest_chain && listening.wants(event);
}

// The row that an event goes back to. Other events have a subject of their own.
const std::string& origin_of(const store::Event& event)
{
    return event.cause.automation_run.empty() ? event.subject : event.cause.automation_run;
}

}  // namespace

Task<Result<std::vector<Owner>>> Listeners::new_owners()
{
    auto owners = co_await services_.store.automations().listening_owners();
    if (owners)
        std::erase_if(*owners, [this](const Owner& owner) { return followed_.contains(owner); });
    co_return owners;
}

Task<Result<>> Listeners::follow(Owner owner)
{
    store::EventSignal& signal = services_.store.events().signal();
    const auto follower = signal.follow(owner);
    if (stopped_ || !followed_.emplace(owner, follower).second) co_return Result<>();
    Result<> done;
    for (bool goes_on = true; goes_on;) {
        const auto listens = co_await hear(owner);
        if (!listens) done = listens.error();
        goes_on = listens && *listens && co_await signal.wait(follower);
    }
    followed_.erase(owner);
    paces_.erase(owner);
    known_.erase(owner);
    ended_.erase(owner);
    co_return done;
}

void Listeners::stop()
{
    stopped_ = true;
    store::EventSignal& signal = services_.store.events().signal();
    for (const auto& [owner, follower] : followed_) signal.stop(follower);
}

Task<Result<bool>> Listeners::hear(const Owner& owner)
{
    while (!stopped_) {
        const auto listeners = co_await services_.store.automations().listeners(owner);
        if (!listeners) co_return listeners.error();
        if (listeners->empty()) co_return false;
        forget_others(owner, *listeners);
        bool is_all = true;
        for (const store::DueAutomation& each : *listeners) {
            const auto read = co_await hear(each);
            if (!read) co_return read.error();
            is_all &= *read;
        }
        if (is_all) break;
    }
    co_return true;
}

Task<Result<bool>> Listeners::hear(const store::DueAutomation& listener)
{
    store::Automation automation = listener.automation;
    const std::optional<Listening> known = listening_of(automation);
    if (!known) co_return true;
    const Listening& listening = *known;
    std::optional<Definition> definition;  // Read once it is needed.
    const auto page = co_await services_.store.events().read(
        automation.owner, automation.heard_until, listening.types, events_at_once);
    if (!page) co_return page.error();
    const auto test_time = co_await test_time_of(services_.store, automation.owner);
    if (!test_time) co_return test_time.error();
    for (const store::Event& event : page->events) {
        if (stopped_) co_return true;
        if (listener.owner_is_disabled || !hears(automation, listening, event)) continue;
        if (has_ended(automation.owner, event)) continue;
        if (!definition) {
            auto read = Definition::read(automation.definition, services_.zones);
            if (!read) co_return true;
            definition = std::move(*read);
        }
        co_await pace(automation.owner);
        const auto entered = co_await enter_row(automation, event,
                                                row_of(*definition, automation, event, *test_time));
        if (!entered) co_return entered.error();
        if (*entered == Outcome::changed) co_return false;
    }
    // Also if a disabled user's automation could not hear them: they are not heard later.
    const bool is_to_note = listener.owner_is_disabled || page->read_to < page->latest ||
                            page->read_to - automation.heard_until >= most_unnoted;
    if (is_to_note && page->read_to > automation.heard_until) {
        const auto noted = co_await enter(automation, {.new_until = page->read_to});
        if (!noted) co_return noted.error();
        if (*noted == Outcome::changed) co_return false;
    }
    co_return page->read_to >= page->latest;
}

// A definition may be long, and most events are not for it.
std::optional<Listening> Listeners::listening_of(const store::Automation& automation)
{
    Known& known = known_[automation.owner][automation.id];
    if (known.revision == automation.revision) return known.listening;
    known = {.revision = automation.revision};
    if (const auto read = Definition::read(automation.definition, services_.zones))
        known.listening = read->listening();
    return known.listening;
}

void Listeners::forget_others(const Owner& owner, const std::vector<store::DueAutomation>& those)
{
    const auto found = known_.find(owner);
    if (found == known_.end() || found->second.size() <= those.size()) return;
    std::erase_if(found->second, [&those](const auto& known) {
        return std::ranges::none_of(those, [&known](const store::DueAutomation& each) {
            return each.automation.id == known.first;
        });
    });
}

// Before a row is entered: waits while the log has entered too many.
Task<> Listeners::pace(const Owner& owner)
{
    Timer timer(co_await boost::asio::this_coro::executor);
    Pace& pace = paces_[owner];
    while (!stopped_) {
        const SteadyPoint now = services_.clock.steady();
        if (now - pace.since >= std::chrono::minutes(1)) pace = {.since = now};
        if (pace.rows < most_rows_per_minute) break;
        timer.expires_after(std::chrono::seconds(1));
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
}

Task<Result<Listeners::Outcome>> Listeners::enter_row(store::Automation& listener,
                                                      const store::Event& event,
                                                      store::AutomationRun row)
{
    const Cause cause{.automation = event.cause.automation,
                      .automation_run = event.cause.automation_run,
                      .depth = event.cause.depth + 1};
    auto outcome = co_await enter(
        listener, {.new_until = event.number, .row = std::move(row), .cause = cause});
    if (!outcome) co_return outcome;
    if (*outcome == Outcome::entered) {
        ++paces_[listener.owner].rows;
        services_.entered();
    } else if (*outcome == Outcome::noted) {
        const auto noted = co_await note_if_ended(listener, event);
        if (!noted) co_return noted.error();
    }
    co_return outcome;
}

// The ledger has not taken a row for this event. If it has none from before, it takes no more.
Task<Result<>> Listeners::note_if_ended(const store::Automation& listener,
                                        const store::Event& event)
{
    const auto row = co_await services_.store.ledger().find_by_key(
        listener.owner, {listener.id, TriggerType::event, event.id});
    if (!row) co_return row.error();
    if (*row) co_return Result<>();
    std::set<std::string>& rows = ended_[listener.owner];
    if (rows.size() >= most_ended) rows.clear();
    rows.insert(origin_of(event));
    co_return Result<>();
}

bool Listeners::has_ended(const Owner& owner, const store::Event& event) const
{
    const auto rows = ended_.find(owner);
    return rows != ended_.end() && rows->second.contains(origin_of(event));
}

Task<Result<Listeners::Outcome>> Listeners::enter(store::Automation& listener,
                                                  store::HeardEvents heard)
{
    heard.automation = listener.id;
    heard.revision = listener.revision;
    heard.seen_until = listener.heard_until;
    heard.now = services_.clock.now();
    const std::int64_t new_until = heard.new_until;
    auto entered = co_await services_.store.ledger().hear(std::move(heard));
    if (!entered) co_return entered.error();
    if (!*entered) co_return Outcome::changed;
    listener.heard_until = new_until;
    co_await cancel_runs(services_.runs, listener.owner, std::move((*entered)->to_cancel));
    co_return (*entered)->rows.empty() ? Outcome::noted : Outcome::entered;
}

store::AutomationRun Listeners::row_of(const Definition& definition,
                                       const store::Automation& listener, const store::Event& event,
                                       std::optional<TimePoint> test_time) const
{
    const TimePoint now = services_.clock.now();
    const TimePoint due = test_time.value_or(event.at);
    const api::RetryBody& retry = definition.fields().retry;
    store::AutomationRun row{.id = new_id("aru", now),
                             .automation = listener.id,
                             .trigger = TriggerType::event,
                             .key = event.id,
                             .scheduled_for = due,
                             .max_attempts = retry.max_attempts,
                             .backoff = std::chrono::seconds(retry.backoff_s),
                             .not_before = test_time.value_or(now),
                             .depth = event.cause.depth + 1,
                             .created_at = now};
    const auto payload = fields::to_json(chat::view(listener.owner, event));
    auto values = definition.fill(payload.as_object(), {TriggerType::event, event.id, due});
    if (row.depth > longest_chain) {
        row.status = AutomationRunStatus::skipped;
        row.skip_reason = SkipReason::loop;
    } else if (!values) {
        row.status = AutomationRunStatus::failed;
        row.error = services_.errors.stored(values.error());
    }
    if (values) row.values = std::move(*values);
    return row;
}

}  // namespace parley::automation
