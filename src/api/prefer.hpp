// The header field Prefer (RFC 7240).
#pragma once

#include "http/message.hpp"

#include <chrono>
#include <optional>

namespace parley::api {

// "wait=10": how long the client would like to wait for an answer. Nothing where it does not say,
// or says it in a way that cannot be understood: a preference may be ignored.
std::optional<std::chrono::seconds> preferred_wait(const http::RequestHead& head);

}  // namespace parley::api
