// What is the same for everybody until the program changes, so that clients may keep it: encoded
// once, sent with an entity tag, and not sent again to whoever has it (RFC 9110, If-None-Match).
#pragma once

#include "http/message.hpp"

#include <string>
#include <string_view>

namespace parley::api {

struct Cacheable {
    Cacheable(std::string type, std::string text);

    std::string media_type;
    std::string body;
    std::string tag;  // With its quotes.
};

// 200, or 304 to a client that has it.
http::Response cached_response(const Cacheable& what, const http::RequestHead& head,
                               std::string_view cache_control = "public, max-age=300");

}  // namespace parley::api
