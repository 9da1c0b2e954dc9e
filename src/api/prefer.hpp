// The header field Prefer (RFC 7240).
#pragma once

#include "http/message.hpp"

#include <chrono>
#include <optional>

namespace parley::api {

// "wait=10": how long the client wants to wait for an answer. Nothing if the field is absent or
// malformed: a preference may be ignored.
std::optional<std::chrono::seconds> preferred_wait(const http::RequestHead& head);

}  // namespace parley::api
