// One client that follows an event log.
//
// Threads: the loop of the request.
#pragma once

#include "api/call.hpp"
#include "api/wire/event_log.hpp"
#include "store/event_log.hpp"

#include <cstdint>

namespace parley::api {

EventView view(const Owner& owner, const store::Event& event);

struct LogPosition {
    Owner owner;
    EventTypes types;
    std::int64_t after = 0;
};

// Sends what is stored behind the position, and then each event as it comes, until the client
// leaves, the stream is cut, or the server shuts down. A client that reads slowly is waited for:
// what it has not read is in the log.
Task<Result<>> send_log(Stream stream, http::EventStream& events, store::EventLog& log,
                        LogPosition position);

}  // namespace parley::api
