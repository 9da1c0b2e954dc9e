// The use of models, counted by user, model and day (UTC).
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "store/page.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

using Day = std::chrono::sys_days;

inline Day day_of(TimePoint time) { return std::chrono::floor<std::chrono::days>(time); }

struct DailyUsage {
    Owner owner = {};
    std::string model = {};
    Day day = {};
    std::int64_t requests = 0;
    Usage tokens = {};

    bool operator==(const DailyUsage&) const = default;
};

// Absent members match all.
struct UsageFilter {
    bool test = false;                     // The mode.
    std::optional<std::string> user = {};  // usr_…
    std::optional<std::string> model = {};
    Day first = {};
    Day last = {};  // Included.
};

// Output tokens of an answer that is not stored, for the budget of its user.
struct Reservation {
    std::string id = {};  // The id of the answer.
    Owner owner = {};
    std::int64_t tokens = 0;  // The most that it may write; 0: not limited.
    TimePoint now = {};
    TimePoint expires_at = {};  // If it is never settled, because the server has crashed.
};

// Runs add their usage when they end (Runs::finish_run).
//
// A user may have a budget of output tokens for a day (User::output_tokens_per_day). An answer
// begins only if the tokens that it may write are left: those that are used on this day and those
// that other unfinished answers may still write do not count as left. An answer that is not limited
// begins if anything is left, and may use more than that. Test mode has no budget.
class UsageLog {
public:
    virtual ~UsageLog() = default;

    // Adds to what is stored: all or nothing. Usage of users who were removed is ignored.
    // `settled` are the ids of reservations whose answers have ended.
    virtual Task<Result<>> add(std::vector<DailyUsage> used,
                               std::vector<std::string> settled = {}) = 0;

    // Ignored for a user without a budget. Fails with budget_used_up.
    virtual Task<Result<>> reserve(Reservation wanted) = 0;

    // The newest day first, after `after`, if given.
    using Position = std::int64_t;
    virtual Task<Result<Page<DailyUsage, Position>>> list(UsageFilter filter,
                                                          std::optional<Position> after,
                                                          std::size_t limit) = 0;
};

}  // namespace parley::store
