// A conversation of Open WebUI's export: `chat.history.messages` has all messages by their ids.
#include "moving/formats.hpp"
#include "moving/tree.hpp"
#include "moving/values.hpp"

#include <boost/json/array.hpp>

namespace parley::moving {
namespace {

void read_webui_content(const boost::json::object& message, Node& node)
{
    std::vector<std::string>& texts = node.message.parts;
    if (auto text = text_at(message, "content")) texts.push_back(std::move(*text));
    if (const auto* parts = array_at(message, "content")) {
        for (const auto& part : *parts) {
            const auto* object = part.if_object();
            auto text = object ? text_at(*object, "text") : std::nullopt;
            if (text)
                texts.push_back(std::move(*text));
            else
                add_missing_attachment(node);
        }
    }
    if (const auto* files = array_at(message, "files"))
        for (std::size_t i = 0; i < files->size(); ++i) add_missing_attachment(node);
    if (texts.empty()) node.reason = "it is empty";
}

Node read_webui_node(std::string_view key, const boost::json::value& value, TimePoint created_at)
{
    Node node = begin_node(key, created_at);
    const auto* object = value.if_object();
    if (!object) {
        node.reason = "it is not an object";
        return node;
    }
    node.parent = text_at(*object, "parentId");
    node.message.created_at = seconds_at(*object, "timestamp").value_or(created_at);
    const std::string role = text_at(*object, "role").value_or("");
    if (role != "user" && role != "assistant") {
        node.reason = "messages of role " + role.substr(0, 32) + " are not imported";
        return node;
    }
    read_webui_content(*object, node);
    if (role == "assistant") {
        node.message.speaker = Speaker::assistant;
        node.message.stop_reason = StopReason::end_turn;
        node.message.model = text_at(*object, "model");
    }
    return node;
}

// Some exports have a list only, in which each message follows on the one before it.
std::vector<Node> read_list(const boost::json::array& messages, TimePoint created_at)
{
    std::vector<Node> nodes;
    for (const auto& each : messages) {
        const auto* object = each.if_object();
        const std::string id = object ? text_at(*object, "id").value_or("") : "";
        const std::string number = std::to_string(nodes.size());
        Node node = read_webui_node(id.empty() ? number : id, each, created_at);
        if (!nodes.empty()) node.parent = nodes.back().id;
        nodes.push_back(std::move(node));
    }
    return nodes;
}

}  // namespace

Result<Conversation> read_open_webui(const boost::json::object& conversation, TimePoint now,
                                     const std::string& pointer)
{
    const auto* inner = object_at(conversation, "chat");
    const boost::json::object& chat = inner ? *inner : conversation;
    const auto* history = object_at(chat, "history");
    const auto* by_id = history ? object_at(*history, "messages") : nullptr;
    const auto* list = array_at(chat, "messages");
    const std::string at = pointer + (inner ? "/chat" : "");
    if (!by_id && !list) return unreadable(at + "/history/messages", "must be an object");
    Conversation read{
        .source_id = text_at(conversation, "id").value_or(""),
        .title = text_at(conversation, "title").value_or(text_at(chat, "title").value_or("")),
        .archived = flag_at(conversation, "archived"),
        .keep = flag_at(conversation, "pinned"),
        .created_at = seconds_at(conversation, "created_at").value_or(now)};
    read.updated_at = seconds_at(conversation, "updated_at").value_or(read.created_at);
    if (const auto* parameters = object_at(chat, "params"))
        read.instructions = text_at(*parameters, "system");
    std::vector<Node> nodes;
    if (by_id)
        for (const auto& [key, value] : *by_id)
            nodes.push_back(read_webui_node(key, value, read.created_at));
    else
        nodes = read_list(*list, read.created_at);
    add_nodes(read, std::move(nodes), by_id ? text_at(*history, "currentId") : std::nullopt);
    return read;
}

}  // namespace parley::moving
