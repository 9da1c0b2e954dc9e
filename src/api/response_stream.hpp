// The stream of a stored response: the events of its run, converted as they arrive.
//
// Threads: the loop of the request.
#pragma once

#include "api/call.hpp"
#include "api/response_answer.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/run_handle.hpp"
#include "engine/models.hpp"

#include <cstdint>
#include <optional>

namespace parley::api {

// Sends the events after `starting_after`, or all. Fails with validation_failed if the response
// does not have that event (yet), with events_expired if the events after it are no longer stored,
// and as chat::EventReader does.
Task<Result<ResponseAnswer>> send_response(Stream stream, chat::RunHandle run,
                                           const engine::Models& models,
                                           std::optional<std::int64_t> starting_after = {});

}  // namespace parley::api
