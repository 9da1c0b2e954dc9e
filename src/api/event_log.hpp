// The event log of a user: as a list, and as a stream that lasts until its client disconnects.
#pragma once

#include "api/route.hpp"
#include "domain/event.hpp"

#include <string_view>
#include <vector>

namespace parley::api {

// The types that a filter such as "chat.run.*,token.revoked" names. Fails with validation_failed.
Result<EventTypes> read_event_types(std::string_view text);

}  // namespace parley::api
