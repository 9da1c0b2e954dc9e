// From a request in OpenAI's shape to what an engine is asked: the conversation, and how it is to
// be answered. What our own models cannot do is a fault of its own kind, so that a client can tell
// it from a typing error.
//
// Threads: plain functions.
#pragma once

#include "api/wire/completion_request.hpp"
#include "base/error.hpp"
#include "engine/engine.hpp"

namespace parley::api {

// Notes what the request asks for that only models of other servers may be able to do.
void check_supported(const CompletionBody& body, Faults& faults);

// Notes where the messages make no conversation that could be answered.
engine::Prompt prompt_of(CompletionBody& body, Faults& faults);

engine::Sampling sampling_of(const CompletionBody& body);

}  // namespace parley::api
