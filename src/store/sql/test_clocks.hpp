// The time of automations in test mode, as Ledger::test_clock and Ledger::set_test_clock say.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/connection.hpp"

#include <optional>

namespace parley::store::sql {

// Nothing in real time, which is the only one outside of test mode.
std::optional<TimePoint> test_time(Connection& connection, const Owner& owner);
// The same for the number of an owner in a row of the ledger.
std::optional<TimePoint> test_time(Connection& connection, std::int64_t owner);

Result<EnteredRows> change_test_clock(Connection& connection, const TestClockChange& change);

}  // namespace parley::store::sql
