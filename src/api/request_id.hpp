// The id of a request, by which it is found in the log.
#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"

#include <string>

namespace parley::api {

// The client's own (X-Request-Id), so that it can find its request in our log; a new one where it
// gave none that could safely stand there.
std::string request_id(const http::RequestHead& head, const Clock& clock);

}  // namespace parley::api
