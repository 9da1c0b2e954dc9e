// The body of a request as JSON. Its Content-Type is checked before it is read, so that a wrong
// body is refused early.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "http/exchange.hpp"

#include <cstddef>
#include <string>

namespace parley::api {

// Not parsed yet. Fails with unsupported_media_type, or as Exchange::body does.
Task<Result<std::string>> read_json_text(http::Exchange& exchange, std::size_t limit,
                                         http::Payer payer);

// For an operation that takes no body: fails with validation_failed if there is one.
Task<Result<>> check_has_no_body(http::Exchange& exchange, http::Payer payer);

}  // namespace parley::api
