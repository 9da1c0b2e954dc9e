// Budgets of users: output tokens that are used on a day, or reserved by answers that have not
// ended. See UsageLog.
#pragma once

#include "store/sql/people.hpp"
#include "store/usage.hpp"

namespace parley::store::sql {

// Two answers must not reserve the same tokens. To be called before automations and sessions are
// locked. Returns the user as found before; the budget is read again after the lock, unless there
// was none. Nothing if there is no such user.
std::optional<Asker> lock_budget(Connection& connection, const Owner& owner);

// The tokens that an answer reserves which may write `most` (0: not limited); none if its user has
// no budget. Fails with budget_used_up.
Result<std::int64_t> tokens_to_reserve(Connection& connection, const Owner& owner,
                                       std::int64_t most, TimePoint now);

Result<> reserve(Connection& connection, const Reservation& wanted);
void settle_reservation(Connection& connection, const std::string& id);

}  // namespace parley::store::sql
