// Automations as their ledger needs them whenever a row is entered or begins: without long columns,
// such as the definition, and without fields that need another query.
#pragma once

#include "store/sql/automation_rows.hpp"

#include <optional>
#include <string>

namespace parley::store::sql {

// The owner, the revision and the state, the policies (overlap, tokens of a day), the session, and
// the time until which its due times were entered.
std::optional<KeptAutomation> find_policies(Connection& connection, const std::string& automation);

}  // namespace parley::store::sql
