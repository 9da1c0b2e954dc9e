// Classifies the response of an upstream by its head, or the lack of a response.
#pragma once

#include "base/error.hpp"
#include "http/client/client.hpp"

#include <optional>
#include <string>

namespace parley::engine::upstream {

struct Failure {
    Error error;                 // For the client: without hosts.
    std::string reason;          // For the log: without keys.
    bool nothing_done = false;   // A retry is safe, here or at another server.
    bool unhealthy = false;      // Counts against the server, for every user.
    bool slow = false;           // Counts only if a probe also fails.
    bool misconfigured = false;  // The settings are wrong: the operator must do something.
};

Failure failure_of(const http::client::ClientError& error);

// Nothing if the response is usable: 200, or a status by which the upstream refuses the request
// itself (400, 413, 422).
std::optional<Failure> failure_of(const http::client::ClientHead& head, bool streamed);

// Whether the upstream lacks the operation, or the model for it.
bool lacks_route(int status);
// The request for embeddings got such a status.
Failure no_embeddings(int status);

// For a response that is malformed or ended too early.
Failure unreadable_answer(std::string reason);

}  // namespace parley::engine::upstream
