// Removal of sessions. One with many messages is hidden by the transaction that removes it; its
// rows are deleted some at a time, in further transactions, so that other changes do not wait for
// all of them.
#pragma once

#include "store/sql/chats.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

// Removes all that is in it, and tells so: nothing of it is found any more. The locks of a removal
// must be held. True if rows remain for delete_hidden().
bool remove_session(Connection& connection, const KeptSession& kept, const Occasion& occasion);

// Parts of imports that a crash has ended before this time. Dropped, they are as removed sessions.
bool has_old_parts(Connection& connection, TimePoint before);
void drop_old_parts(Connection& connection, TimePoint before);

Result<bool> has_hidden(Connection& connection);

// Deletes what remains of all sessions that were removed, also before a crash. What cannot be
// deleted now stays hidden.
Task<> delete_hidden(JobQueue& writes);

}  // namespace parley::store::sql
