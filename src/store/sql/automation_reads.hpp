// The reads of Automations.
#pragma once

#include "store/automations.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

using AutomationPage = Page<Automation, Automations::Position>;

Result<AutomationPage> page_after(Connection& connection, const Owner& owner,
                                  const AutomationFilter& filter, Automations::Position after,
                                  std::size_t limit);
Result<std::vector<DueAutomation>> due_until(Connection& connection, TimePoint until,
                                             std::size_t most);
Result<std::optional<TimePoint>> first_due(Connection& connection);
Result<AutomationPage> scheduled_after(Connection& connection, Automations::Position after,
                                       std::size_t limit);
Result<std::vector<Owner>> owners_that_listen(Connection& connection);
Result<std::vector<DueAutomation>> listeners_of(Connection& connection, const Owner& owner);

}  // namespace parley::store::sql
