// The errors of the OpenAI-compatible routes, with the shape, the codes and the statuses that
// OpenAI's clients expect.
//
// Threads: plain functions.
#pragma once

#include "api/wire/openai_error.hpp"
#include "base/error.hpp"
#include "http/message.hpp"

namespace parley::api {

// The code of a fault: another model might support the parameter.
inline constexpr std::string_view unsupported_parameter = "unsupported_parameter";

OpenAiError openai_error(const Error& error);

http::Response openai_error_response(const Error& error);

}  // namespace parley::api
