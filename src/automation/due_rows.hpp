// Due times as rows that are ready for the ledger.
#pragma once

#include "automation/definition.hpp"
#include "automation/due_scan.hpp"
#include "chat/run_errors.hpp"
#include "store/automations.hpp"

#include <vector>

namespace parley::automation {

// A row that cannot be filled has failed. `now` is real time.
std::vector<store::AutomationRun> rows_of(const Definition& definition,
                                          const store::Automation& automation,
                                          const std::vector<DueTime>& times, TimePoint now,
                                          const chat::RunErrors& errors);

}  // namespace parley::automation
