// Runs that are started, cancelled, tried again or waited for by hand.
#include "automation/test_clock.hpp"
#include "automation/yield.hpp"
#include "base/id.hpp"
#include "base/timer.hpp"

#include <boost/asio/this_coro.hpp>

#include <set>

namespace parley::automation {
namespace {

// The most that one request may enter: definitions, values and messages together.
constexpr std::size_t most_bytes_at_once = std::size_t{16} * 1024 * 1024;

Error batch_is_too_large()
{
    return validation_failed({{"#/inputs", "too_long",
                               "these inputs and messages have more than 16 MiB together; send "
                               "fewer at once"}});
}

}  // namespace

Task<Result<std::set<std::string>>> Automations::known_keys(const Owner& owner,
                                                            const Start& wanted) const
{
    std::vector<std::string> keys;
    for (const Input& each : wanted.inputs)
        if (each.key) keys.push_back(*each.key);
    if (keys.empty()) co_return std::set<std::string>();
    co_return co_await store_.ledger().known_keys(owner, wanted.automation, std::move(keys),
                                                  wanted.claim);
}

// A batch of the largest messages takes a fifth of a second: other requests come in between.
Task<Result<std::vector<store::AutomationRun>>> Automations::make_rows(
    const store::Automation& automation, const Start& wanted, const std::set<std::string>& used,
    TimePoint its_time) const
{
    const std::vector<Input>& inputs = wanted.inputs;
    auto definition = Definition::read(automation.definition, zones_);
    // If its time zone is gone, its local date and time are those of UTC.
    if (!definition) definition = Definition::read_unscheduled(automation.definition);
    if (!definition) co_return definition.error();
    const TimePoint now = clock_.now();
    const api::RetryBody& retry = definition->fields().retry;
    Faults faults;
    std::size_t bytes = 0;
    std::set<std::string> keys;
    std::vector<store::AutomationRun> rows;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        co_await yield();
        const std::string at = wanted.batch ? "#/inputs/" + std::to_string(i) : "#";
        std::string key = inputs[i].key ? *inputs[i].key : new_id("key", now);
        if (!keys.insert(key).second)
            faults.push_back({at + "/key", "duplicate", "is the key of an earlier input"});
        if (used.contains(key)) {
            rows.push_back({.automation = automation.id, .key = std::move(key)});
            continue;
        }
        if (const auto known = definition->check_names(inputs[i].variables); !known)
            add_faults(faults, at + "/variables", known.error());
        auto values = definition->fill(
            inputs[i].variables, {.trigger = TriggerType::manual, .key = key, .at = its_time});
        if (!values) {
            add_faults(faults, at + "/variables", values.error());
            continue;
        }
        bytes += automation.definition.size() + values->size();
        rows.push_back({.id = new_id("aru", now),
                        .automation = automation.id,
                        .owner = automation.owner,
                        .revision = automation.revision,
                        .key = std::move(key),
                        .scheduled_for = its_time,
                        .batch = wanted.batch,
                        .values = std::move(*values),
                        .max_attempts = retry.max_attempts,
                        .backoff = std::chrono::seconds(retry.backoff_s),
                        .not_before = its_time,
                        .token = wanted.token,
                        .created_at = now});
        bytes += definition->filled(rows.back()).message.size();
        if (bytes > most_bytes_at_once) co_return batch_is_too_large();
    }
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    co_return rows;
}

Task<Result<Automations::Started>> Automations::start(Owner owner, Start wanted)
{
    for (;;) {  // Again if it was changed in between.
        const auto automation = co_await store_.automations().find(owner, wanted.automation);
        if (!automation) co_return automation.error();
        // A known key gives its row, whatever the values and the automation are now.
        const auto known = co_await known_keys(owner, wanted);
        if (!known) co_return known.error();
        const auto its_time = co_await time_of(store_, clock_, owner);
        if (!its_time) co_return its_time.error();
        auto rows = co_await make_rows(*automation, wanted, *known, *its_time);
        if (!rows) co_return rows.error();
        auto entered =
            co_await store_.ledger().add(owner, std::move(*rows), wanted.cause, wanted.claim);
        if (!entered && entered.error().code == Errc::precondition_failed) continue;
        if (!entered) co_return entered.error();
        co_await cancel_runs(runs_, owner, std::move(entered->to_cancel));
        wake_();
        co_return Started{std::move(entered->rows), !entered->are_new};
    }
}

Task<Result<store::AutomationRun>> Automations::cancel(Owner owner, std::string row, Cause cause)
{
    auto cancelled = co_await store_.ledger().cancel(owner, row, clock_.now(), std::move(cause));
    if (!cancelled) co_return cancelled.error();
    if (!cancelled->run) {
        wake_();
        co_return std::move(cancelled->row);
    }
    constexpr std::chrono::seconds patience{2};
    const auto run = co_await runs_.find(owner, *cancelled->run);
    if (run) {
        run->cancel();
        co_await run->wait_for_end(patience);
    }
    co_return co_await store_.ledger().find(std::move(owner), std::move(row));
}

Task<Result<store::AutomationRun>> Automations::retry(Owner owner, std::string row, Cause cause,
                                                      std::string token)
{
    auto retried = co_await store_.ledger().retry(std::move(owner), std::move(row), clock_.now(),
                                                  std::move(cause), std::move(token));
    if (retried) wake_();
    co_return retried;
}

Task<Result<store::AutomationRun>> Automations::wait_for_end(Owner owner, std::string row,
                                                             std::chrono::seconds patience)
{
    store::EventSignal& signal = store_.events().signal();
    const auto follower = signal.follow(owner);
    Timer timer(co_await boost::asio::this_coro::executor, patience);
    timer.async_wait([&signal, follower](boost::system::error_code) { signal.stop(follower); });
    for (bool goes_on = true;;) {
        auto found = co_await store_.ledger().find(owner, row);
        if (!found || has_ended(found->status) || !goes_on) co_return found;
        goes_on = co_await signal.wait(follower);
    }
}

}  // namespace parley::automation
