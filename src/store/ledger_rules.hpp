// The rules for the ledger of automations, the same in every store.
#pragma once

#include "store/automations.hpp"
#include "store/ledger.hpp"
#include "store/times.hpp"

#include <algorithm>

namespace parley::store {

// Rows that wait in line behind each other; a batch does not count.
inline constexpr std::int64_t longest_line = 100;
// Unfinished rows of an automation, whatever the policy and however they were entered.
inline constexpr std::int64_t most_unfinished = 10'000;
// In which no more attempts of an owner may be started than its limit says.
inline constexpr std::chrono::seconds window_of_starts{60};
// Rows that events may start because of one cause, directly or through other rows.
inline constexpr std::int64_t most_rows_of_root = 1000;

// The wait before the attempt after this one: doubled each time, up to an hour.
inline std::chrono::seconds backoff_after(std::int64_t attempt, std::chrono::seconds first)
{
    constexpr std::chrono::seconds longest = std::chrono::hours(1);
    std::chrono::seconds wait = first;
    for (std::int64_t i = 1; i < attempt && wait < longest; ++i) wait *= 2;
    return std::min(wait, longest);
}

// The state of a row after an attempt of it has ended.
struct RowOutcome {
    AutomationRunStatus status = AutomationRunStatus::completed;
    std::optional<TimePoint> not_before = {};  // The time of the next attempt.
};
// `clock`: the time of the attempt, if that is the time of a test clock.
inline RowOutcome outcome_of(const AutomationRun& row, const Attempt& ended, bool may_retry,
                             const std::optional<TimePoint>& clock = std::nullopt)
{
    if (ended.status == RunStatus::completed) return {AutomationRunStatus::completed};
    if (ended.status == RunStatus::cancelled) return {AutomationRunStatus::cancelled};
    const bool may_pass = may_retry || ended.status == RunStatus::interrupted;
    if (!may_pass || ended.number >= row.max_attempts) return {AutomationRunStatus::failed};
    std::chrono::seconds wait = backoff_after(ended.number, row.backoff);
    if (ended.error && ended.error->retry_after) wait = std::max(wait, *ended.error->retry_after);
    const TimePoint end = clock.value_or(ended.completed_at.value_or(TimePoint()));
    return {AutomationRunStatus::waiting, end + wait};
}

// How a row that is due stands towards rows that have not ended.
struct UnfinishedRows {
    std::int64_t all = 0;      // Not counting its own batch.
    std::int64_t in_line = 0;  // Those that belong to no batch.
};
inline std::optional<SkipReason> skip_of(Overlap overlap, const UnfinishedRows& unfinished)
{
    if (overlap == Overlap::skip && unfinished.all > 0) return SkipReason::overlap;
    if (overlap == Overlap::queue && unfinished.in_line >= longest_line)
        return SkipReason::queue_full;
    if (unfinished.all >= most_unfinished) return SkipReason::queue_full;
    return std::nullopt;
}

inline EventType event_of(AutomationRunStatus status)
{
    switch (status) {
        case AutomationRunStatus::completed:
            return EventType::automation_run_completed;
        case AutomationRunStatus::failed:
            return EventType::automation_run_failed;
        case AutomationRunStatus::cancelled:
            return EventType::automation_run_cancelled;
        case AutomationRunStatus::skipped:
            return EventType::automation_run_skipped;
        case AutomationRunStatus::missed:
            return EventType::automation_run_missed;
        default:
            return EventType::automation_run_queued;
    }
}

}  // namespace parley::store
