// What the answer of another server means for us, from its head alone, or from there being none.
#pragma once

#include "base/error.hpp"
#include "http/client/client.hpp"

#include <optional>
#include <string>

namespace parley::engine::upstream {

struct Failure {
    Error error;                 // For the client: without hosts.
    std::string reason;          // For the log: without keys.
    bool nothing_done = false;   // It may be asked again, or another one.
    bool unhealthy = false;      // Counts against the server, for every user.
    bool slow = false;           // The same only if a probe fails, too.
    bool misconfigured = false;  // The settings are wrong: the operator must do something.
};

Failure failure_of(const http::client::ClientError& error);

// Nothing: the answer can be read. That is 200, or a status by which the other side finds fault
// with the request itself (400, 413, 422).
std::optional<Failure> failure_of(const http::client::ClientHead& head, bool streamed);

// Of an answer that cannot be understood, or ended too early.
Failure unreadable_answer(std::string reason);

}  // namespace parley::engine::upstream
