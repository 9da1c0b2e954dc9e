#include "chat/event_retention.hpp"

#include "base/log.hpp"

#include <algorithm>

namespace parley::chat {
namespace {

constexpr std::chrono::seconds time_between_sweeps{60};
constexpr std::size_t rows_of_a_sweep = 200;

}  // namespace

Task<> EventRetention::sweep_if_due()
{
    if (expiry_ && !expiry_->may_sweep()) co_return;
    const auto steady = clock_.steady();
    auto due = next_sweep_.load();
    if (steady.time_since_epoch().count() < due) co_return;
    const auto next = steady + std::min(keep_, time_between_sweeps);
    if (!next_sweep_.compare_exchange_strong(due, next.time_since_epoch().count())) co_return;
    const TimePoint today = now();
    const auto swept = co_await store_.runs().sweep_runs(today - keep_, today, rows_of_a_sweep);
    if (!swept) log::debug("cannot remove old events", log::kv("reason", swept.error().message));
    if (swept && *swept >= rows_of_a_sweep) next_sweep_ = 0;  // There are more.
}

}  // namespace parley::chat
