// One pulse: a statement that renews the lease, tells others and reads their news, and its answer.
#pragma once

#include "cluster/cluster.hpp"
#include "store/postgres/link.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace parley::cluster::postgres {

// The last message of a server that was read, and when.
struct ReadMessage {
    std::int64_t number = 0;
    std::chrono::steady_clock::time_point at = {};
};

struct PulseRequest {
    std::int64_t me = 0;
    std::chrono::milliseconds lease{0};
    std::size_t running = 0;                        // Runs of this server,
    bool draining = false;                          // which shuts down.
    std::int64_t heard = 0;                         // The last number of `heard` that was read.
    std::map<std::int64_t, ReadMessage> logs = {};  // The same of `grown_logs`, for each server.
    std::set<std::int64_t> living = {};             // Servers with a lease, at the last pulse.
    std::set<std::string> grown = {};               // Logs that this server has extended,
    std::int64_t number = 0;                        // and the number of this message.
};

struct Pulse {
    bool has_lease = false;
    Heard heard = {};
    std::size_t members = 1;
    std::int64_t first = 0;                  // The oldest living server that does not shut down.
    std::vector<std::int64_t> expired = {};  // Servers whose lease has expired.
};

std::string statement_of(const PulseRequest& request);

// Moves the numbers of the request on.
Pulse pulse_of(const store::postgres::ResultPtr& rows, PulseRequest& request);

// On a new connection: moves the number of `heard` back, so that the next pulse also has the news
// of the last minutes. Throws Failure.
void hear_again(store::postgres::Link& link, PulseRequest& request);

// Forgets servers that have told nothing for a minute: none of their messages can be read any more.
void forget_silent(PulseRequest& request, std::chrono::steady_clock::time_point now);

}  // namespace parley::cluster::postgres
