// Events as clients see them: the same in the log, in its stream and for automations that listen.
//
// Threads: plain functions.
#pragma once

#include "api/wire/event_log.hpp"
#include "store/event_log.hpp"

namespace parley::chat {

api::EventView view(const Owner& owner, const store::Event& event);

}  // namespace parley::chat
