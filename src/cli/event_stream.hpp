// Follows the event log of a user over a running server. A broken connection is resumed after the
// last event, also after a restart of the server; Ctrl-C ends it (interruption.hpp).
//
// Threads: the one that calls.
#pragma once

#include "cli/user_access.hpp"

#include <functional>
#include <string>

namespace parley::cli {

struct FollowedEvents {
    const UserAccess& access;
    std::string types = {};        // For ?types=; empty: all.
    std::string after = "latest";  // The number of an event.
    // Called with each event; returns false to stop.
    std::function<bool(const boost::json::object& event)> hear;
    // Called with a message about the connection.
    std::function<void(const std::string& sentence)> tell;

    // Returns after Ctrl-C, or once hear() returns false. Fails with a message if the server
    // refuses it, or cannot be reached when it is called first.
    Result<> follow();
};

}  // namespace parley::cli
