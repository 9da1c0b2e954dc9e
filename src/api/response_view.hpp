// A run as a response of OpenAI's Responses API.
//
// Threads: plain functions.
#pragma once

#include "api/response_items.hpp"
#include "api/wire/response.hpp"
#include "api/wire/response_request.hpp"
#include "base/clock.hpp"
#include "chat/parameters.hpp"
#include "chat/run_handle.hpp"
#include "store/runs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::api {

// As OpenAI writes times.
std::int64_t unix_seconds(TimePoint at);

// Both have the same last part.
std::string response_of_run(std::string_view run);
// Empty if it is not the id of a response.
std::string run_of_response(std::string_view response);

// The parts of the request that a response repeats, as they are stored with the run. For answers
// that are not stored, `add_request` puts them into the response.
chat::ResponseParameters response_parameters(const ResponseBody& body, std::string instructions);
void add_request(const chat::ResponseParameters& request, const engine::ToolsRef& tools,
                 ResponseView& view);

// The response when it was created: the same at any time. The first events of its stream have it.
ResponseView created_response(const store::RunWithMessages& whole);

// The response of a run that has ended.
ResponseView ended_response(const store::RunWithMessages& whole, const engine::Models& models);

// The response as it is now, with the text so far.
ResponseView response_now(const chat::RunHandle& run, const engine::Models& models);

// Ends a response with this text. Without text, a response that was not completed has no items.
void add_answer(ResponseView& view, const AnswerForm& form, std::string_view text,
                StopReason reason, const std::optional<Usage>& usage);

}  // namespace parley::api
