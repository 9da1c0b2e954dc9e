// Due times as rows that are ready for the ledger.
#pragma once

#include "automation/definition.hpp"
#include "automation/due_scan.hpp"
#include "base/task.hpp"
#include "chat/run_errors.hpp"
#include "store/automations.hpp"

#include <vector>

namespace parley::automation {

// A row that cannot be filled has failed. `now` is real time.
store::AutomationRun row_of(const Definition& definition, const store::Automation& automation,
                            const DueTime& time, TimePoint now, const chat::RunErrors& errors);

// The rows of all these times. Other tasks of the loop run in between: a row takes as long as its
// message is long. All must outlive the task.
Task<std::vector<store::AutomationRun>> rows_of(const Definition& definition,
                                                const store::Automation& automation,
                                                const std::vector<DueTime>& times, TimePoint now,
                                                const chat::RunErrors& errors);

}  // namespace parley::automation
