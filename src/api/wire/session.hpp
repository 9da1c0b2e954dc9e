// Chat sessions in requests and responses.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/metadata.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

inline constexpr auto title_length = fields::characters(1, 200);
inline constexpr auto instructions_length = fields::length(0, 65'536);
inline constexpr auto model_length = fields::length(1, 128);

struct SessionView {
    std::string object = "chat.session";
    std::string id;
    std::string title;
    std::optional<std::string> instructions;
    std::optional<std::string> model;
    bool archived = false;
    std::int64_t message_count = 0;
    std::vector<std::string> active_run_ids;
    std::string created_at;
    std::string updated_at;
    std::optional<std::string> last_message_at;
    std::optional<std::string> automation_id;
    bool keep = false;
    Metadata metadata;

    static constexpr fields::SchemaInfo schema_info{"ChatSession", "A conversation."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = SessionView;
        return std::tuple(
            field("object", &View::object, "Always `chat.session`.", one_of("chat.session")),
            field("id", &View::id, "Id of the session.", example("ses_01J9ZQ8R0000000000000000AB"),
                  id_of_session),
            field("title", &View::title, "Title; taken from the first message until you set one.",
                  example("Greetings")),
            field("instructions", &View::instructions,
                  "Instructions for the model (system prompt)."),
            field("model", &View::model, "The model. Null: the server's default."),
            field("archived", &View::archived, "Archived sessions are listed only on request."),
            field("message_count", &View::message_count, "Number of messages in all branches.",
                  example(2)),
            field("active_run_ids", &View::active_run_ids, "Runs that are queued or running."),
            field("created_at", &View::created_at, "When it was created.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("updated_at", &View::updated_at, "When it last changed.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("last_message_at", &View::last_message_at,
                  "Time of the last message. Null before the first one.", moment),
            field("automation_id", &View::automation_id, "The automation that created it, if any.",
                  id_of_automation),
            field("keep", &View::keep,
                  "If true, it is never deleted automatically: neither by its automation nor after "
                  "the retention time of its user."),
            field("metadata", &View::metadata, "Your own keys and texts."));
    }
};

struct NewSessionBody {
    std::optional<std::string> title;
    std::optional<std::string> instructions;
    std::optional<std::string> model;
    std::optional<Metadata> metadata;

    static constexpr fields::SchemaInfo schema_info{"NewChatSession", "A new session."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = NewSessionBody;
        return std::tuple(
            field("title", &This::title, "Title. Absent: taken from the first message.",
                  title_length, example("Greetings")),
            field("instructions", &This::instructions,
                  "Instructions for the model (system prompt).", instructions_length,
                  example("Answer in one sentence.")),
            field("model", &This::model, "The model. Absent: the server's default.", model_length,
                  example("scripted")),
            field("metadata", &This::metadata, "Up to 16 keys of your own, each with a text.",
                  metadata_size, metadata_keys, metadata_values));
    }
};

// Null clears instructions and model. The others cannot be cleared: null is as if absent.
struct SessionPatch {
    std::optional<std::string> title;
    std::optional<bool> archived;
    std::optional<bool> keep;
    fields::Nullable<std::string> instructions;
    fields::Nullable<std::string> model;
    std::optional<Metadata> metadata;

    static constexpr fields::SchemaInfo schema_info{
        "ChatSessionChange", "Changes to a session; absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = SessionPatch;
        return std::tuple(
            field("title", &This::title, "A new title.", title_length, example("Greetings")),
            field("archived", &This::archived, "Whether to archive it.", example(true)),
            field("keep", &This::keep, "True exempts it from automatic deletion."),
            field("instructions", &This::instructions,
                  "Instructions for the model (system prompt). Null: none.", instructions_length),
            field("model", &This::model, "The model. Null: the server's default.", model_length),
            field("metadata", &This::metadata, "Replaces the existing metadata.", metadata_size,
                  metadata_keys, metadata_values));
    }
};

struct SessionPath {
    std::string session;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("session", &SessionPath::session, "The id of a session.",
                                example("ses_01J9ZQ8R0000000000000000AB")));
    }
};

enum class SessionSort { activity, created };
constexpr auto names_of(SessionSort)
{
    return std::array{fields::Named{SessionSort::activity, "activity"},
                      fields::Named{SessionSort::created, "created"}};
}
enum class Order { descending, ascending };
constexpr auto names_of(Order)
{
    return std::array{fields::Named{Order::descending, "desc"},
                      fields::Named{Order::ascending, "asc"}};
}
enum class ArchivedFilter { no, yes, all };
constexpr auto names_of(ArchivedFilter)
{
    return std::array{fields::Named{ArchivedFilter::no, "false"},
                      fields::Named{ArchivedFilter::yes, "true"},
                      fields::Named{ArchivedFilter::all, "all"}};
}

inline constexpr auto automation_filter_pattern = "^(any|none|aut_[0-9A-Za-z_]{1,36})$";

struct SessionsQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    SessionSort sort = SessionSort::activity;
    Order order = Order::descending;
    ArchivedFilter archived = ArchivedFilter::no;
    std::optional<std::string> automation;
    std::optional<std::string> q;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = SessionsQuery;
        return std::tuple(
            field("limit", &This::limit, "Items on a page.", range(1, 100), defaults_to(20)),
            field("after", &This::after,
                  "The `next_cursor` of the previous page; absent: the first page.",
                  length(1, 512)),
            field("sort", &This::sort, "Sort by last activity or by creation.",
                  defaults_to(SessionSort::activity)),
            field("order", &This::order, "Newest or oldest first.", defaults_to(Order::descending)),
            field("archived", &This::archived, "Which sessions to list.",
                  defaults_to(ArchivedFilter::no)),
            field("automation", &This::automation,
                  "`any`, `none` (sessions that no automation created), or the id of an "
                  "automation. Absent: `any`.",
                  length(1, 40), pattern(automation_filter_pattern), example("none")),
            field("q", &This::q, "Only sessions with this text in the title, ignoring case.",
                  characters(0, 200)));
    }
};

struct MessagesQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> leaf;
    std::optional<std::string> through;
    Order order = Order::ascending;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = MessagesQuery;
        return std::tuple(
            field("limit", &This::limit, "Items on a page.", range(1, 100), defaults_to(20)),
            field("after", &This::after,
                  "The `next_cursor` of the previous page; absent: the first page.",
                  length(1, 512)),
            field("leaf", &This::leaf, "The last message of the branch; absent: the newest.",
                  length(1, 64)),
            field("through", &This::through,
                  "A message of the branch, which continues to the newest message below it. Not "
                  "together with `leaf`.",
                  length(1, 64)),
            field("order", &This::order, "From the first message, or from the last.",
                  defaults_to(Order::ascending)));
    }
};

struct MessagePath {
    std::string message;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("message", &MessagePath::message, "The id of a message.",
                                example("msg_01J9ZQ8R0000000000000000AB")));
    }
};

}  // namespace parley::api
