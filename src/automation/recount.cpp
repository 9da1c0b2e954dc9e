// How the runner computes the next due times again at its start: the time zone database may be
// another one by now, and with it what a local time means.
#include "automation/runner.hpp"
#include "automation/yield.hpp"
#include "base/log.hpp"
#include "store/times.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::automation {
namespace {

constexpr std::size_t recounted_at_once = 100;
constexpr std::chrono::seconds time_before_next_try{1};

}  // namespace

// Beside the due times. Those that come meanwhile are looked at when they were due by the old
// rules, and entered by the new ones.
Task<> Runner::recount()
{
    Timer timer(co_await boost::asio::this_coro::executor);
    std::optional<store::Automations::Position> after;
    for (bool goes_on = !services_.zones.empty(); goes_on && !stopped_;) {
        const auto page =
            co_await services_.store.automations().scheduled(after, recounted_at_once);
        const auto done = page ? co_await recount(page->items) : Result<>(page.error());
        if (done) {
            after = page->next;
            goes_on = after.has_value();
            continue;
        }
        log::debug("cannot compute due times again", log::kv("reason", done.error().message));
        timer.expires_after(time_before_next_try);
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
}

Task<Result<>> Runner::recount(std::span<const store::Automation> automations)
{
    for (const store::Automation& each : automations) {
        if (stopped_) break;
        if (auto done = co_await recount(each); !done) co_return done;
        co_await yield();
    }
    co_return Result<>();
}

Task<Result<>> Runner::recount(const store::Automation& automation)
{
    const auto definition = Definition::read(automation.definition, services_.zones);
    if (!definition || !definition->schedule()) co_return co_await pause(automation);
    const auto next = definition->schedule()->next(automation.evaluated_until);
    if (store::to_the_millisecond(next) == automation.next_at) co_return Result<>();
    std::vector<store::DueEntry> entries{{.automation = automation.id,
                                          .revision = automation.revision,
                                          .seen_until = automation.evaluated_until,
                                          .new_until = automation.evaluated_until,
                                          .next_at = next,
                                          .has_ended = !next,
                                          .now = services_.clock.now()}};
    const auto entered = co_await services_.store.ledger().enter(std::move(entries));
    if (!entered) co_return entered.error();
    wake();  // It may be due earlier.
    co_return Result<>();
}

}  // namespace parley::automation
