#include "chat/events.hpp"

#include "api/wire/event.hpp"
#include "base/json.hpp"
#include "fields/write.hpp"

#include <fmt/format.h>
#include <utility>

namespace parley::chat {
namespace {

constexpr std::string_view delta_name = "message.delta";

// The first byte of a record in the journal. A frame of version 0.1 begins with "id: ".
constexpr char mark_of_delta = 'd';
constexpr char mark_of_created = 'c';

RunEvent made(std::int64_t number, RunEvent::Type type, std::string bytes)
{
    return {number, type, std::make_shared<const std::string>(std::move(bytes))};
}

// Serialized JSON has no line breaks, so a frame is always one data line.
template <class Event>
RunEvent encode(std::int64_t number, RunEvent::Type type, const Event& event)
{
    std::string frame = fmt::format("id: {}\nevent: {}\ndata: ", number, event.type);
    fields::append(frame, event);
    frame += "\n\n";
    return made(number, type, std::move(frame));
}

std::optional<std::string> text_of_delta(std::string_view json)
{
    const auto event = json::parse(json);
    const auto* object = event ? event->if_object() : nullptr;
    const auto* delta = object ? object->if_contains("delta") : nullptr;
    const auto* text =
        delta && delta->is_object() ? delta->as_object().if_contains("text") : nullptr;
    if (!text || !text->is_string()) return std::nullopt;
    return std::string(text->as_string());
}

}  // namespace

const Frame& retry_line()
{
    static const Frame line = std::make_shared<const std::string>("retry: 1000\n");
    return line;
}

RunEvent created_event(std::int64_t number, api::RunView run)
{
    return encode(number, RunEvent::Type::created,
                  api::RunEvent{"run.created", number, std::move(run)});
}

RunEvent delta_event(std::int64_t number, std::string text)
{
    return made(number, RunEvent::Type::delta, std::move(text));
}

RunEvent snapshot_event(std::int64_t number, std::optional<api::MessageView> message)
{
    return encode(number, RunEvent::Type::snapshot,
                  api::SnapshotEvent{.sequence_number = number, .message = std::move(message)});
}

RunEvent ended_event(std::int64_t number, api::RunView run)
{
    const std::string name = "run." + std::string(fields::name_of(run.status));
    return encode(number, RunEvent::Type::ended, api::RunEvent{name, number, std::move(run)});
}

// Deltas are written by hand because there is one for each word. A test compares the result with
// api::DeltaEvent.
Frame frame_of(const RunEvent& event, std::string_view answer)
{
    if (event.type != RunEvent::Type::delta) return event.bytes;
    std::string frame;
    frame.reserve(160 + answer.size() + event.bytes->size());
    fmt::format_to(std::back_inserter(frame),
                   "id: {}\nevent: message.delta\ndata: {{\"type\":\"message.delta\","
                   "\"sequence_number\":{},\"message_id\":\"{}\",\"delta\":{{\"type\":\"text\","
                   "\"text\":",
                   event.number, event.number, answer);
    json::append_quoted(frame, *event.bytes);
    frame += "}}\n\n";
    return std::make_shared<const std::string>(std::move(frame));
}

Frame journal_record(const RunEvent& event)
{
    const bool is_delta = event.type == RunEvent::Type::delta;
    std::string record;
    record.reserve(1 + event.bytes->size());
    record += is_delta ? mark_of_delta : mark_of_created;
    record += *event.bytes;
    return std::make_shared<const std::string>(std::move(record));
}

RunEvent event_of_record(std::int64_t number, std::string record)
{
    if (record.starts_with(mark_of_delta)) return delta_event(number, record.substr(1));
    if (record.starts_with(mark_of_created))
        return made(number, RunEvent::Type::created, record.substr(1));
    return event_of_frame(number, std::move(record));
}

RunEvent event_of_frame(std::int64_t number, std::string frame)
{
    static constexpr std::string_view before_name = "\nevent: ";
    static constexpr std::string_view before_data = "\ndata: ";
    const std::size_t name = frame.find(before_name);
    const std::size_t data = frame.find(before_data);
    if (name != frame.npos && data != frame.npos) {
        const auto rest = std::string_view(frame).substr(name + before_name.size());
        if (rest.starts_with(delta_name))
            if (auto text =
                    text_of_delta(std::string_view(frame).substr(data + before_data.size())))
                return delta_event(number, std::move(*text));
    }
    return made(number, number == 1 ? RunEvent::Type::created : RunEvent::Type::ended,
                std::move(frame));
}

}  // namespace parley::chat
