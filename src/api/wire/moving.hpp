// Requests and responses of /v1/api/import, and the lines of /v1/api/export.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/message.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"
#include "moving/moving.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

// Members of the object itself; those inside of it are limited by the size of the body.
struct ConversationShape {
    static constexpr std::size_t max = 1000;

    void check(const boost::json::object& conversation, const fields::FieldPath& at) const
    {
        fields::detail::check_count(conversation.size(), 0, max, "entry", at);
    }
    void describe(boost::json::object& schema) const
    {
        schema["maxProperties"] = max;
        const boost::json::object message{{"role", "user"},
                                          {"content", {{{"type", "text"}, {"text", "Hello!"}}}}};
        schema["examples"] = boost::json::array{
            {{"session", {{"title", "Greetings"}}}, {"messages", boost::json::array{message}}}};
    }
};
inline constexpr ConversationShape conversation_shape;

struct ImportBody {
    moving::Format format = moving::Format::parley;
    boost::json::object conversation;

    static constexpr fields::SchemaInfo schema_info{"Import", "A conversation to import."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ImportBody;
        return std::tuple(
            field("format", &This::format, "The program that exported it."),
            field(
                "conversation", &This::conversation,
                "`chatgpt`: one entry of conversations.json. `open_webui`: one entry of an export "
                "of chats. `parley`: `{\"session\":{…},\"messages\":[…]}` with the objects of an "
                "export.",
                conversation_shape));
    }
};

struct ExportQuery {
    std::optional<std::string> session_id;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("session_id", &ExportQuery::session_id,
                                "Only this session and its messages.", length(1, 64),
                                example("ses_01J9ZQ8R0000000000000000AB")));
    }
};

struct SkippedView {
    std::string source_id;
    std::string reason;

    static constexpr fields::SchemaInfo schema_info{"SkippedMessage",
                                                    "A message that was not imported, or not "
                                                    "with its images and files."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = SkippedView;
        return std::tuple(field("source_id", &View::source_id, "Its id in the other program."),
                          field("reason", &View::reason, "What was not imported, and why.",
                                example("messages of role tool are not imported")));
    }
};

struct ImportView {
    std::string object = "import";
    std::string session_id;
    std::int64_t imported = 0;
    std::vector<SkippedView> skipped;

    static constexpr fields::SchemaInfo schema_info{"ImportResult", "An imported conversation."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = ImportView;
        return std::tuple(
            field("object", &View::object, "Always `import`.", one_of("import")),
            field("session_id", &View::session_id, "The session that was created.",
                  example("ses_01J9ZQ8R0000000000000000AB"), id_of_session),
            field("imported", &View::imported, "Number of imported messages.", example(120)),
            field("skipped", &View::skipped,
                  "Messages that were not imported, or not with all of their content."));
    }
};

}  // namespace parley::api
