#include "chat/events.hpp"

#include "api/wire/event.hpp"
#include "base/field_write.hpp"
#include "base/json.hpp"

#include <fmt/format.h>

namespace parley::chat {
namespace {

constexpr std::string_view delta_type = "message.delta";

std::string begin(std::int64_t number, std::string_view type)
{
    return fmt::format("id: {}\nevent: {}\ndata: ", number, type);
}

// JSON has no line breaks outside of strings, and none inside: a frame is always one data line.
template <class Event>
Frame encode(std::int64_t number, const Event& event)
{
    std::string text = begin(number, event.type);
    wire::append(text, event);
    text += "\n\n";
    return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

const Frame& retry_line()
{
    static const Frame line = std::make_shared<const std::string>("retry: 1000\n");
    return line;
}

Frame created_event(std::int64_t number, api::RunView run)
{
    return encode(number, api::RunEvent{"run.created", number, std::move(run)});
}

// By hand, since there are as many of them as words: in the shape of api::DeltaEvent, which a test
// holds it to.
Frame delta_event(std::int64_t number, std::string_view message_id, std::string_view text)
{
    std::string frame;
    frame.reserve(160 + message_id.size() + text.size());
    fmt::format_to(std::back_inserter(frame),
                   "id: {}\nevent: message.delta\ndata: {{\"type\":\"message.delta\","
                   "\"sequence_number\":{},\"message_id\":\"{}\",\"delta\":{{\"type\":\"text\","
                   "\"text\":",
                   number, number, message_id);
    json::append_quoted(frame, text);
    frame += "}}\n\n";
    return std::make_shared<const std::string>(std::move(frame));
}

Frame snapshot_event(std::int64_t number, std::optional<api::MessageView> message)
{
    api::SnapshotEvent event{.sequence_number = number, .message = std::move(message)};
    return encode(number, event);
}

Frame terminal_event(std::int64_t number, api::RunView run)
{
    const std::string type = "run." + std::string(wire::name_of(run.status));
    return encode(number, api::RunEvent{type, number, std::move(run)});
}

std::string text_in(std::string_view frame)
{
    const std::size_t type = frame.find("\nevent: ");
    const std::size_t data = frame.find("\ndata: ");
    if (type == frame.npos || data == frame.npos) return {};
    if (!frame.substr(type + 8).starts_with(delta_type)) return {};
    const auto event = json::parse(frame.substr(data + 7));
    if (!event) return {};
    const auto* object = event->if_object();
    const auto* delta = object ? object->if_contains("delta") : nullptr;
    const auto* text =
        delta && delta->is_object() ? delta->as_object().if_contains("text") : nullptr;
    if (!text || !text->is_string()) return {};
    return std::string(text->as_string());
}

}  // namespace parley::chat
