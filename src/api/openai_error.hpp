// The errors of the OpenAI-compatible routes: in the shape, with the codes and with
// the statuses by which OpenAI's own clients tell them apart.
//
// Threads: plain functions.
#pragma once

#include "api/wire/openai_error.hpp"
#include "base/error.hpp"
#include "http/message.hpp"

namespace parley::api {

// The code of a fault: something that another model might do.
inline constexpr std::string_view unsupported_parameter = "unsupported_parameter";

OpenAiError openai_error(const Error& error);

http::Response openai_error_response(const Error& error);

}  // namespace parley::api
