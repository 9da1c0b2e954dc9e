// Requests and responses of /v1/api/events.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/list.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct EventCauseView {
    std::optional<std::string> automation_id;
    std::optional<std::string> automation_run_id;
    std::int64_t depth = 0;
    std::optional<std::string> request_id;

    static constexpr fields::SchemaInfo schema_info{"EventCause", "Why an event happened."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = EventCauseView;
        return std::tuple(
            field("automation_id", &View::automation_id, "The automation that caused it, if any."),
            field("automation_run_id", &View::automation_run_id,
                  "The run of that automation, if any."),
            field("depth", &View::depth,
                  "Length of the chain of automations that caused it; 0: none.", example(0)),
            field("request_id", &View::request_id, "The request that caused it, if any.",
                  example("req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")));
    }
};

struct EventSubjectView {
    std::string object;
    std::string id;
    std::optional<std::string> session_id;
    std::optional<std::string> automation_id;
    std::optional<std::string> status;

    static constexpr fields::SchemaInfo schema_info{"EventSubject",
                                                    "The object that an event is about."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = EventSubjectView;
        return std::tuple(
            field("object", &View::object, "Type of the object, as in its `object` field.",
                  one_of("chat.session", "chat.run", "api_token", "automation", "automation.run",
                         "webhook")),
            field("id", &View::id, "Id of the object.", example("run_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("session_id", &View::session_id, "Runs only: id of the session.", omit_if_absent,
                  example("ses_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"), id_of_session),
            field("automation_id", &View::automation_id,
                  "Runs of automations only: id of the automation.", omit_if_absent,
                  example("aut_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"), id_of_automation),
            field("status", &View::status, "Runs only: the status after the event.", omit_if_absent,
                  example("completed")));
    }
};

struct EventView {
    std::string object = "event";
    std::string id;
    std::int64_t sequence_number = 0;
    EventType type = EventType::session_created;
    std::string timestamp;
    bool test = false;
    EventCauseView cause;
    EventSubjectView data;

    static constexpr fields::SchemaInfo schema_info{
        "Event", "One entry of the event log. New types may be added: ignore unknown ones."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = EventView;
        return std::tuple(
            field("object", &View::object, "Always `event`.", one_of("event")),
            field("id", &View::id, "Id of the event.", example("evt_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"),
                  id_of_event),
            field("sequence_number", &View::sequence_number,
                  "Number of the event in the log: 1, 2, 3 … without a gap.", example(42)),
            field("type", &View::type, "Type of the event.", example("chat.run.completed")),
            field("timestamp", &View::timestamp, "When it happened.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("test", &View::test, "Whether it belongs to test mode.", example(false)),
            field("cause", &View::cause, "Cause of the event."),
            field("data", &View::data, "The object that it is about."));
    }
};

// Without an example: the example request of the reference must work on every log.
struct LogResumeFields {
    std::optional<std::string> last;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("Last-Event-ID", &LogResumeFields::last,
                                "The number of the last event that you received, as browsers send "
                                "it; takes precedence over `after`.",
                                pattern(event_number_pattern)));
    }
};

inline constexpr auto log_position_pattern = "^([0-9]{1,15}|latest)$";

struct EventLogQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> types;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = EventLogQuery;
        return std::tuple(
            page_limit(&This::limit),
            field("after", &This::after,
                  "Only events after this number. `latest`: only events to come. Without it, the "
                  "log begins with the oldest stored event.",
                  pattern(log_position_pattern), example("0")),
            field("types", &This::types,
                  "Only these types, separated by commas, 20 at most; `chat.run.*` stands for all "
                  "types that begin with `chat.run.`.",
                  length(1, 1024), example("chat.run.*,token.revoked")));
    }
};

}  // namespace parley::api
