// How rows come into the ledger, as Ledger::enter, hear and add say.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

Result<EnteredRows> enter_due(Connection& connection, const DueEntry& entry);
Result<std::optional<EnteredRows>> enter_heard(Connection& connection, const HeardEvents& heard);
Result<EnteredRows> add_rows(Connection& connection, const Owner& owner,
                             const std::vector<AutomationRun>& rows, const Cause& cause);

}  // namespace parley::store::sql
