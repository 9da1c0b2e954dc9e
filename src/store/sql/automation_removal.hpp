// Automations that are removed: they are hidden at once, their rows are deleted some at a time, and
// those that were started in the last minute after it.
#pragma once

#include "store/automations.hpp"
#include "store/sql/connection.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::store::sql {

// As Automations::remove().
Result<std::vector<std::string>> remove_automation(Connection& connection, const Owner& owner,
                                                   const std::string& id,
                                                   std::optional<std::int64_t> expected,
                                                   TimePoint now, const Cause& cause,
                                                   std::optional<AuditEvent> audit);

// As Automations::sweep_removed(): whether something can be deleted now, and deleting it.
Result<bool> has_removed(Connection& connection);
Result<bool> delete_removed(Connection& connection, std::size_t most);

}  // namespace parley::store::sql
