// Where a run begins: in a session, after a message.
#pragma once

#include "store/runs.hpp"
#include "store/sql/chats.hpp"

#include <optional>

namespace parley::store::sql {

// The session that the run is to be in, and the message after which it begins: the one that its
// placement names; for AfterNewest, the newest; for NewRoot none.
struct StartingPoint {
    KeptSession session = {};
    std::optional<KeptMessage> message = {};
    bool is_answering = false;  // A run answers the question there.
};

// Makes the session if the run is to have a new one. Fails as begin_run does.
Result<StartingPoint> starting_point_of(Connection& connection, const NewRun& wanted);

// The new session of a run, before it is stored.
Session new_session_of(const NewRun& wanted);

// The session after its first messages: so it need not be changed for each of them.
Session with_messages(Session session, const NewRun& wanted);

}  // namespace parley::store::sql
