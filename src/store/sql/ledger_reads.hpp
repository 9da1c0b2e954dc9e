// The reads of Ledger.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

using RowPage = Page<AutomationRun, Ledger::Position>;

Result<RowPage> page_of_rows(Connection& connection, const Owner& owner,
                             const AutomationRunFilter& filter, Ledger::Position after,
                             std::size_t limit);
Result<std::vector<AutomationRun>> startable_rows(Connection& connection, TimePoint now,
                                                  std::size_t most, const std::string& held);
Result<std::optional<TimePoint>> first_start(Connection& connection, TimePoint after);
Result<std::vector<AutomationRun>> running_rows(Connection& connection);
Result<std::vector<Ledger::Start>> starts_after(Connection& connection, TimePoint time);
Result<std::vector<SeenSession>> sessions_beyond(Connection& connection,
                                                 const std::string& automation, std::size_t keep);

}  // namespace parley::store::sql
