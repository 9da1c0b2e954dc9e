// How rows come into the ledger, as Ledger::enter, hear and add say.
#pragma once

#include "store/ledger_rules.hpp"
#include "store/sql/automation_rows.hpp"

namespace parley::store::sql {

// The id of the row with this key.
std::optional<std::string> row_with_key(Connection& connection, std::int64_t automation,
                                        TriggerType trigger, const std::string& key);

// Rows that have not ended; with `until`, only those up to this position.
UnfinishedRows unfinished_rows(Connection& connection, std::int64_t automation,
                               const std::optional<std::int64_t>& until = {});

// Rows of one automation that come in together: they do not overlap each other.
class RowEntry {
public:
    // `older_until`: rows behind this position come in together with these, too.
    RowEntry(Connection& connection, const KeptAutomation& kept,
             const std::optional<std::int64_t>& older_until = {});

    // The row as it is in the ledger; nothing if its key was there already.
    std::optional<AutomationRun> insert(AutomationRun row, RowEvents& events);

    // Runs of older rows that give way.
    std::vector<std::string>& to_cancel() { return to_cancel_; }

private:
    Connection& connection_;
    const KeptAutomation& kept_;
    const std::optional<std::int64_t> older_until_;
    const UnfinishedRows unfinished_;
    bool gives_way_;
    std::vector<std::string> to_cancel_;
};

// Whether an automation is as it was when its due times were computed.
bool is_current(const std::optional<KeptAutomation>& kept, const DueEntry& entry);
// Its due times are in the ledger.
void advance(Connection& connection, std::int64_t automation, const DueEntry& entry);

Result<std::vector<EnteredRows>> enter_due(Connection& connection,
                                           const std::vector<DueEntry>& entries);
Result<std::optional<EnteredRows>> enter_heard(Connection& connection, const HeardEvents& heard);
Result<EnteredRows> add_rows(Connection& connection, const Owner& owner,
                             const std::vector<AutomationRun>& rows, const Cause& cause,
                             const std::optional<KeyClaim>& claim);

}  // namespace parley::store::sql
