// The events of a run, and the frames by which streams send them. The frame of a delta is made for
// each reader; those of other events repeat the question or the answer, so they are made once.
//
// Threads: plain functions.
#pragma once

#include "api/wire/run.hpp"
#include "domain/run_event.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::chat {

using Frame = std::shared_ptr<const std::string>;

// Precedes the first event of a stream, and says how long a client waits before it reconnects. In
// the same block as the event: some clients take a block without data for an event.
const Frame& retry_line();

RunEvent created_event(std::int64_t number, api::RunView run);
RunEvent delta_event(std::int64_t number, std::string text);
RunEvent snapshot_event(std::int64_t number, std::optional<api::MessageView> message);

// The last event, by the status of the ended run.
RunEvent ended_event(std::int64_t number, api::RunView run);

// As a stream sends it. `answer` is the id of the answer, which deltas name.
Frame frame_of(const RunEvent& event, std::string_view answer);

// For the journal: the event without its number, which the journal has itself.
Frame journal_record(const RunEvent& event);
RunEvent event_of_record(std::int64_t number, std::string record);

// Version 0.1 stored events as frames.
RunEvent event_of_frame(std::int64_t number, std::string frame);

}  // namespace parley::chat
