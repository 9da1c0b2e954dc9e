// The id of a request in the log.
#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"

#include <string>

namespace parley::api {

// The client's own id (X-Request-Id), so that it can find its request in our log; a new one if the
// client sent none or an unsafe one.
std::string request_id(const http::RequestHead& head, const Clock& clock);

}  // namespace parley::api
