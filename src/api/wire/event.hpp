// The events of a run's stream, each with its type and its number.
#pragma once

#include "api/wire/run.hpp"

#include <cstdint>
#include <string>

namespace parley::api {

// run.created, and the terminal events: run.completed, run.failed, run.cancelled, run.interrupted.
struct RunEvent {
    std::string type;
    std::int64_t sequence_number = 0;
    RunView run;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("type", &RunEvent::type, "The name of the event.", example("run.created")),
            field("sequence_number", &RunEvent::sequence_number, "The id of the event.",
                  example(1)),
            field("run", &RunEvent::run, "The run in its current state."));
    }
};

struct TextDelta {
    std::string type = "text";
    std::string text;

    static constexpr fields::SchemaInfo schema_info{"TextDelta", "The text since the last event."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("type", &TextDelta::type, "Always `text` today.", one_of("text")),
                          field("text", &TextDelta::text, "Text to append.", example("Hel")));
    }
};

// message.delta
struct DeltaEvent {
    std::string type = "message.delta";
    std::int64_t sequence_number = 0;
    std::string message_id;
    TextDelta delta;

    static constexpr fields::SchemaInfo schema_info{"MessageDeltaEvent", "Part of the answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("type", &DeltaEvent::type, "Always `message.delta`.", one_of("message.delta")),
            field("sequence_number", &DeltaEvent::sequence_number, "The id of the event.",
                  example(2)),
            field("message_id", &DeltaEvent::message_id, "Id of the answer.",
                  example("msg_01J9ZQ8R0000000000000000AB"), id_of_message),
            field("delta", &DeltaEvent::delta, "The text."));
    }
};

// run.snapshot
struct SnapshotEvent {
    std::string type = "run.snapshot";
    std::int64_t sequence_number = 0;
    std::optional<MessageView> message;

    static constexpr fields::SchemaInfo schema_info{
        "RunSnapshotEvent", "The whole answer so far, if its events are no longer stored."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("type", &SnapshotEvent::type, "Always `run.snapshot`.", one_of("run.snapshot")),
            field("sequence_number", &SnapshotEvent::sequence_number,
                  "The number of the last event that the snapshot replaces.", example(7)),
            field("message", &SnapshotEvent::message,
                  "The answer so far; replaces the client's text."));
    }
};

}  // namespace parley::api
