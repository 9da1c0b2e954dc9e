// A conversation of Parley's own export: a session and its messages, as the API shows them.
#include "base/rfc3339.hpp"
#include "moving/formats.hpp"
#include "moving/tree.hpp"
#include "moving/values.hpp"

#include <boost/json/array.hpp>

namespace parley::moving {
namespace {

std::optional<TimePoint> moment_at(const boost::json::object& object, std::string_view key)
{
    const auto text = text_at(object, key);
    return text ? parse_rfc3339(*text) : std::nullopt;
}

std::map<std::string, std::string> metadata_at(const boost::json::object& object)
{
    std::map<std::string, std::string> metadata;
    if (const auto* found = object_at(object, "metadata"))
        for (const auto& [key, value] : *found)
            if (const auto* text = value.if_string()) metadata.emplace(key, *text);
    return metadata;
}

void read_own_content(const boost::json::object& message, Node& node)
{
    if (const auto* content = array_at(message, "content"))
        for (const auto& part : *content) {
            const auto* object = part.if_object();
            if (const auto* text = object ? string_at(*object, "text") : nullptr)
                node.message.parts.emplace_back(*text);
            else
                add_missing_attachment(node);
        }
    if (node.message.parts.empty()) node.reason = "it has no content";
}

std::optional<StopReason> stop_reason_at(const boost::json::object& message)
{
    const auto name = text_at(message, "stop_reason");
    for (const auto& each : names_of(StopReason{}))
        if (name == each.name) return each.value;
    return std::nullopt;
}

Node read_own_node(const boost::json::value& value, std::size_t number, TimePoint created_at)
{
    const auto* object = value.if_object();
    Node node{.id = object ? text_at(*object, "id").value_or("") : ""};
    if (node.id.empty()) node.id = std::to_string(number);
    node.message.source_id = node.id;
    if (!object) {
        node.reason = "it is not an object";
        return node;
    }
    node.parent = text_at(*object, "parent_id");
    const std::string role = text_at(*object, "role").value_or("");
    if (role != "user" && role != "assistant") {
        node.reason = "messages of role " + role.substr(0, 32) + " are not imported";
        return node;
    }
    node.message.speaker = role == "user" ? Speaker::user : Speaker::assistant;
    node.message.created_at = moment_at(*object, "created_at").value_or(created_at);
    read_own_content(*object, node);
    node.message.metadata = metadata_at(*object);
    if (role == "assistant") {
        node.message.stop_reason = stop_reason_at(*object).value_or(StopReason::end_turn);
        node.message.model = text_at(*object, "model");
        // Null if it was cut. The value itself is read from the text.
        node.message.structured = object->contains("output");
    }
    return node;
}

}  // namespace

Result<Conversation> read_parley(const boost::json::object& conversation, TimePoint now,
                                 const std::string& pointer)
{
    const auto* session = object_at(conversation, "session");
    const auto* messages = array_at(conversation, "messages");
    if (!session) return unreadable(pointer + "/session", "must be an object");
    if (!messages) return unreadable(pointer + "/messages", "must be a list");
    Conversation read{.source_id = text_at(*session, "id").value_or(""),
                      .title = text_at(*session, "title").value_or(""),
                      .instructions = text_at(*session, "instructions"),
                      .model = text_at(*session, "model"),
                      .archived = flag_at(*session, "archived"),
                      .keep = flag_at(*session, "keep"),
                      .metadata = metadata_at(*session),
                      .created_at = moment_at(*session, "created_at").value_or(now)};
    read.updated_at = moment_at(*session, "updated_at").value_or(read.created_at);
    std::vector<Node> nodes;
    for (const auto& each : *messages)
        nodes.push_back(read_own_node(each, nodes.size(), read.created_at));
    // The newest message comes last.
    std::optional<std::string> newest;
    if (!nodes.empty()) newest = nodes.back().id;
    add_nodes(read, std::move(nodes), newest);
    return read;
}

}  // namespace parley::moving
