// The body of a request as JSON. Its Content-Type is checked before it is read, so that a wrong
// body is refused early.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "http/exchange.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>

namespace parley::api {

// Its text goes into `keep`, if that is not null. Fails with unsupported_media_type, invalid_json,
// or as Exchange::body does.
Task<Result<boost::json::value>> read_json_body(http::Exchange& exchange, std::size_t limit,
                                                http::Payer payer, std::string* keep);

// The same text, not parsed yet.
Task<Result<std::string>> read_json_text(http::Exchange& exchange, std::size_t limit,
                                         http::Payer payer);

// For an operation that takes no body: fails with validation_failed if there is one.
Task<Result<>> check_has_no_body(http::Exchange& exchange, http::Payer payer);

}  // namespace parley::api
