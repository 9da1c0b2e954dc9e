// Rows of the hooks of automations.
#pragma once

#include "store/automations.hpp"
#include "store/sql/connection.hpp"

#include <optional>
#include <string>

namespace parley::store::sql {

std::optional<Hook> hook_of(Connection& connection, std::int64_t automation);

// The hook that an automation has from now on; nothing: none.
void save_hook(Connection& connection, std::int64_t automation, const std::optional<Hook>& hook);

// As Automations::find_hook says.
Result<DueAutomation> automation_with_hook(Connection& connection, const std::string& hook);

}  // namespace parley::store::sql
