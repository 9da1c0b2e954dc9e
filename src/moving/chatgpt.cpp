// A conversation of ChatGPT's export (conversations.json): `mapping` has a node for each message.
#include "moving/formats.hpp"
#include "moving/tree.hpp"
#include "moving/values.hpp"

#include <boost/json/array.hpp>

namespace parley::moving {
namespace {

void read_content(const boost::json::object& content, Node& node)
{
    if (const auto* parts = array_at(content, "parts")) {
        for (const auto& part : *parts) {
            if (const auto* text = part.if_string()) {
                if (!text->empty()) node.message.parts.emplace_back(*text);
            } else if (!part.is_null()) {
                add_missing_attachment(node);
            }
        }
    } else if (auto text = text_at(content, "text")) {
        node.message.parts.push_back(std::move(*text));
    }
    if (node.message.parts.empty()) node.reason = "it is empty";
}

bool has_known_type(const std::string& type)
{
    return type == "text" || type == "multimodal_text" || type == "code";
}

// Reads the message into the node, or the reason why it is left out.
void read_message(const boost::json::object& message, Node& node)
{
    const auto* author = object_at(message, "author");
    const std::string role = author ? text_at(*author, "role").value_or("") : "";
    if (role != "user" && role != "assistant") {
        node.reason = role.empty() ? "it has no role"
                                   : "messages of role " + role.substr(0, 32) + " are not imported";
        return;
    }
    node.message.speaker = role == "user" ? Speaker::user : Speaker::assistant;
    const std::string recipient = text_at(message, "recipient").value_or("all");
    const auto* content = object_at(message, "content");
    const std::string type = content ? text_at(*content, "content_type").value_or("text") : "";
    if (recipient != "all") {
        node.reason = "calls of tools are not imported";
    } else if (!content || !has_known_type(type)) {
        node.reason = "content of type " + type.substr(0, 32) + " is not imported";
    } else {
        read_content(*content, node);
    }
    if (const auto* metadata = object_at(message, "metadata"); metadata && role == "assistant")
        node.message.model = text_at(*metadata, "model_slug");
    if (role == "assistant") node.message.stop_reason = StopReason::end_turn;
}

Node read_node(std::string_view key, const boost::json::value& value, TimePoint created_at)
{
    Node node = begin_node(key, created_at);
    const auto* object = value.if_object();
    if (!object) {
        node.reason = "it is not an object";
        return node;
    }
    node.parent = text_at(*object, "parent");
    const auto* message = object_at(*object, "message");
    if (!message) {
        node.reason = "it has no message";
        return node;
    }
    node.message.created_at = seconds_at(*message, "create_time").value_or(created_at);
    read_message(*message, node);
    return node;
}

}  // namespace

Result<Conversation> read_chatgpt(const boost::json::object& conversation, TimePoint now,
                                  const std::string& pointer)
{
    const auto* mapping = object_at(conversation, "mapping");
    if (!mapping) return unreadable(pointer + "/mapping", "must be an object");
    Conversation read{.source_id = text_at(conversation, "conversation_id")
                                       .value_or(text_at(conversation, "id").value_or("")),
                      .title = text_at(conversation, "title").value_or(""),
                      .archived = flag_at(conversation, "is_archived"),
                      .created_at = seconds_at(conversation, "create_time").value_or(now)};
    read.updated_at = seconds_at(conversation, "update_time").value_or(read.created_at);
    std::vector<Node> nodes;
    for (const auto& [key, value] : *mapping) {
        nodes.push_back(read_node(key, value, read.created_at));
        // Older exports do not say which model has answered.
        auto& message = nodes.back().message;
        if (message.speaker == Speaker::assistant && !message.model)
            message.model = text_at(conversation, "default_model_slug");
    }
    add_nodes(read, std::move(nodes), text_at(conversation, "current_node"));
    return read;
}

}  // namespace parley::moving
