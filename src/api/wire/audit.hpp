// Requests and responses of /v1/api/audit. Shared by the server, the command line and the tests.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/list.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct AuditEventView {
    std::string object = "audit.event";
    std::string id;
    std::string at;
    std::string actor;
    std::string action;
    std::string target;
    std::string address;
    std::string request_id;

    static constexpr fields::SchemaInfo schema_info{"AuditEvent",
                                                    "An action on users, tokens or the server."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = AuditEventView;
        return std::tuple(
            field("object", &View::object, "Always `audit.event`.", one_of("audit.event")),
            field("id", &View::id, "Id of the event.",
                  example("evt_0PRkT5Kq3w9ZbXcVnM4aYdTe8uIo2L"), id_of_event),
            field("at", &View::at, "When it happened.", example("2026-01-31T09:30:00.000Z"),
                  moment),
            field("actor", &View::actor, "User id, `server` or `command line`.",
                  example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("action", &View::action, "The action.", example("note")),
            field("target", &View::target, "Id of the object, or the text of a note.",
                  example("Upgraded to 1.4.2")),
            field("address", &View::address, "Network address of the client.",
                  example("192.0.2.7")),
            field("request_id", &View::request_id, "Request id, as in the server's log.",
                  example("req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")));
    }
};

struct AuditQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> actor;
    std::optional<std::string> action;
    std::optional<std::string> target;
    std::optional<std::string> since;
    std::optional<std::string> before;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = AuditQuery;
        constexpr auto size = length(1, 1024);
        constexpr auto time_size = length(1, 64);
        return std::tuple(
            page_limit(&This::limit), page_after(&This::after),
            field("actor", &This::actor, "Only actions of this actor.", size,
                  example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("action", &This::action, "Only this action.", size, example("token.created")),
            field("target", &This::target, "Only actions on this object.", size,
                  example("tok_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("since", &This::since, "RFC 3339: at this time or later.", time_size,
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("before", &This::before, "RFC 3339: earlier than this time.", time_size,
                  example("2026-02-01T00:00:00.000Z"), moment));
    }
};

struct NewAuditNote {
    std::string note;

    static constexpr fields::SchemaInfo schema_info{"NewAuditNote", "A note for the audit log."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("note", &NewAuditNote::note, "The text of the note.",
                                characters(1, 1000), example("Upgraded to 1.4.2")));
    }
};

struct AuditEventPath {
    std::string event;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("event", &AuditEventPath::event, "The event's id."));
    }
};

}  // namespace parley::api
