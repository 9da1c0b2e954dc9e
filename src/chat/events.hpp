// The events of a run as the bytes that every reader and the journal get. Each is
// encoded once.
//
// Threads: plain functions.
#pragma once

#include "api/wire/run.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::chat {

using Frame = std::shared_ptr<const std::string>;

// Goes before the first event of a stream, and says how long a client that lost it waits before it
// resumes. In one block with it: some clients take a block without data for an event.
const Frame& retry_line();

Frame created_event(std::int64_t number, api::RunView run);
Frame delta_event(std::int64_t number, std::string_view message_id, std::string_view text);
Frame snapshot_event(std::int64_t number, std::optional<api::MessageView> message);

// By the status of the run, which has ended.
Frame terminal_event(std::int64_t number, api::RunView run);

// What a frame of the journal adds to the answer: the text of a delta, nothing for other events.
std::string text_in(std::string_view frame);

}  // namespace parley::chat
