// The events of which an automation hears.
//
// Threads: plain values and functions.
#pragma once

#include "api/wire/automation_trigger.hpp"
#include "base/error.hpp"
#include "domain/event.hpp"
#include "store/event_log.hpp"

#include <string>

namespace parley::automation {

struct Listening {
    EventTypes types = {};
    std::string automation = {};  // Only events about this one or its runs; empty: all.
    std::string session = {};

    bool wants(const store::Event& event) const;
};

// Names that are no types are faults.
Listening listening_of(const api::EventTrigger& trigger, Faults& faults);

}  // namespace parley::automation
