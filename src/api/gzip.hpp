// Compresses content that is sent to many clients, once (RFC 1952).
#pragma once

#include <string>
#include <string_view>

namespace parley::api {

// The same bytes for the same text, at every time and on every machine with the same zlib.
std::string gzip(std::string_view text);

}  // namespace parley::api
