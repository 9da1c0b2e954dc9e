// One client that follows an event log.
//
// Threads: the loop of the request.
#pragma once

#include "api/call.hpp"
#include "api/log_turns.hpp"
#include "store/event_log.hpp"

#include <cstdint>

namespace parley::api {

struct LogPosition {
    Owner owner;
    EventTypes types;
    std::int64_t after = 0;
    bool is_latest = false;  // The client asked for new events only.
};

// Sends the stored events after the position, then each new event, until the client disconnects,
// the stream is cut, or the server shuts down. It waits for a slow client: unread events stay in
// the log.
Task<Result<>> send_log(Stream stream, http::EventStream& events, store::EventLog& log,
                        LogTurns& turns, LogPosition position);

}  // namespace parley::api
