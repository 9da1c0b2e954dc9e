// Automations ask by themselves: at set times, at events, when their hook is called, or when they
// are told to. This room has the rules: what can be configured (definition.hpp), which times are
// due (due_scan.hpp), the use cases of the interface (automations.hpp), events that make
// automations due (listeners.hpp), callers of hooks (hook_callers.hpp), the time of test mode
// (test_clock.hpp), and the task that enters due times and starts runs (runner.hpp). The store
// decides what happens once (store/ledger.hpp); runs are those of the room chat.
#pragma once

#include "automation/automations.hpp"
#include "automation/hook_callers.hpp"
#include "automation/runner.hpp"
#include "automation/test_clock.hpp"
