// The trace that a request is part of, by W3C's Trace Context.
//
// Threads: plain functions.
#pragma once

#include "http/exchange.hpp"

#include <string>
#include <string_view>

namespace parley::api {

// The field `traceparent` of version 00, if there is one and it is valid; else empty. Contains
// nothing but lower-case hexadecimal digits and hyphens.
std::string traceparent(const http::RequestHead& head);

// The id of the trace in a valid `traceparent`.
std::string_view trace_id(std::string_view traceparent);

}  // namespace parley::api
