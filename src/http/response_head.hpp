// Writes the head of a response: status line, the fields that belong to the connection, the
// handler's own fields.
#pragma once

#include "http/message.hpp"

#include <string>

namespace parley::http {

enum class BodyFraming {
    sized,    // Content-Length.
    chunked,  // Transfer-Encoding.
    closed,   // Ends with the connection: for HTTP/1.0 clients of a stream.
};

struct HeadOptions {
    BodyFraming framing = BodyFraming::sized;
    bool keep_alive = true;
    bool http_1_0 = false;
};

void append_head(std::string& out, const Response& response, const std::string& date_line,
                 HeadOptions options);

// A response of this status never has a body (RFC 9110 §6.4.1).
constexpr bool forbids_body(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace parley::http
