// Which form of an answer a client prefers, by its Accept fields (RFC 9110 §12.5).
#pragma once

#include "http/message.hpp"

#include <string_view>

namespace parley::api {

// How much the client wants a media type such as "text/html", from 0 (not at all) to 1000. The most
// specific range that covers the type decides; ranges that cannot be read are passed over. Without
// an Accept field everything is wanted.
int preference(const http::RequestHead& head, std::string_view type);

// Whether Accept-Encoding lets a coding such as "gzip" pass. Without the field everything does.
bool accepts_coding(const http::RequestHead& head, std::string_view coding);

// Whether a client accepts gzip and does not prefer the plain form. False without the field: such a
// client may know no codings.
bool prefers_gzip(const http::RequestHead& head);

}  // namespace parley::api
