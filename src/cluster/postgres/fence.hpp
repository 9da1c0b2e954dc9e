// Fencing: a server whose lease has expired loses the right to write.
//
// Every write of a server locks its row in `replicas` FOR KEY SHARE and reads `fenced` in the
// locked row. fence() locks the row FOR UPDATE, so it waits for writes that hold the lock, and
// later ones see that the server is fenced. (An UPDATE alone would not wait: it does not conflict
// with FOR KEY SHARE.)
#pragma once

#include "store/postgres/link.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace parley::cluster::postgres {

// The application_name of all connections of a server.
std::string connection_name(store::postgres::Link& link, std::int64_t incarnation);

// Ends the connections of the server, which may hold locks, and fences it if it has not renewed its
// lease for this long. True if it is fenced now, by this call or before. False if its lease is
// valid again, or if a lock could not be had in time. Throws Failure.
bool fence(store::postgres::Link& link, std::int64_t incarnation, std::chrono::milliseconds lease);

// Ends connections of servers that are in the middle of a transaction, and have sent nothing for so
// long. Those of a fenced server are known to do nothing useful: it was stopped again before it
// learnt that it is fenced. Others have lost their server, but not their proxy. PostgreSQL has no
// limit of its own for a connection that waits within a pipeline. Throws Failure.
void end_stuck_connections(store::postgres::Link& link, std::chrono::milliseconds of_fenced,
                           std::chrono::milliseconds of_others);

// The server fences itself, and its connections stay. False if a change of its own holds the lock
// for more than a second.
bool try_to_fence_oneself(store::postgres::Link& link, std::int64_t incarnation);

}  // namespace parley::cluster::postgres
