// Chat messages in requests and responses.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/input_image.hpp"
#include "api/wire/metadata.hpp"
#include "domain/chat.hpp"
#include "domain/image.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"
#include "fields/special.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace parley::api {

inline constexpr std::size_t max_message_bytes = 131'072;
inline constexpr std::size_t max_content_parts = 16;

struct ContentPart {
    std::string type = "text";
    std::optional<std::string> text = {};
    std::optional<std::string> media_type = {};
    std::optional<std::string> sha256 = {};
    std::optional<std::string> url = {};

    static ContentPart image(std::string media_type, std::string sha256)
    {
        std::string url = path_of_image(sha256);
        return {.type = "image",
                .media_type = std::move(media_type),
                .sha256 = std::move(sha256),
                .url = std::move(url)};
    }

    static constexpr fields::SchemaInfo schema_info{"ContentPart", "A part of a message."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ContentPart;
        return std::tuple(
            field("type", &This::type, "The type of the part.", one_of("text", "image")),
            field("text", &This::text, "Texts only: the text, stored byte for byte.",
                  omit_if_absent, example("Hello")),
            field("media_type", &This::media_type, "Images only: the type.", omit_if_absent),
            field("sha256", &This::sha256, "Images only: the SHA-256, in hexadecimal.",
                  omit_if_absent),
            field("url", &This::url, "Images only: the path at which you can get it.",
                  omit_if_absent));
    }
};

// The content of a message: a text, or a list of parts. The texts have the same total size, unless
// there are images; images are limited by the size of the request.
class Content {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const;

    std::vector<std::string> parts;
    std::vector<InputImage> images;

private:
    void add(const boost::json::value& part, const fields::FieldPath& at);
};

struct MessageView {
    std::string object = "chat.message";
    std::string id;
    std::string session_id;
    std::optional<std::string> parent_id;
    Speaker role = Speaker::user;
    std::vector<ContentPart> content;
    fields::Nullable<StopReason> stop_reason;
    std::optional<std::string> model;
    std::optional<std::string> run_id;
    std::string created_at;
    Metadata metadata;
    std::optional<std::vector<std::string>> sibling_ids;
    fields::Nullable<boost::json::value> output;

    static constexpr fields::SchemaInfo schema_info{"ChatMessage",
                                                    "A message of a user or the assistant."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = MessageView;
        return std::tuple(
            field("object", &View::object, "Always `chat.message`.", one_of("chat.message")),
            field("id", &View::id, "Id of the message.", example("msg_01J9ZQ8R0000000000000000AB"),
                  id_of_message),
            field("session_id", &View::session_id, "Id of its session.",
                  example("ses_01J9ZQ8R0000000000000000AB"), id_of_session),
            field("parent_id", &View::parent_id,
                  "Id of the previous message; null for the first one.", id_of_message),
            field("role", &View::role, "The role of the author."),
            field("content", &View::content, "The content."),
            field("stop_reason", &View::stop_reason,
                  "Answers only: why it ended; null while it is being written."),
            field("model", &View::model, "Answers only: the model.", omit_if_absent,
                  example("scripted")),
            field("run_id", &View::run_id, "Answers only: id of the run.", omit_if_absent,
                  example("run_01J9ZQ8R0000000000000000AB"), id_of_run),
            field("created_at", &View::created_at,
                  "When the question was sent, or the answer began.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("metadata", &View::metadata, "The metadata of the question."),
            field("sibling_ids", &View::sibling_ids,
                  "Ids of all messages with the same parent, this one included, oldest first.",
                  omit_if_absent),
            field("output", &View::output,
                  "Answers to a question with `response_format` only: the parsed text; null if the "
                  "answer is not complete."));
    }
};

}  // namespace parley::api
