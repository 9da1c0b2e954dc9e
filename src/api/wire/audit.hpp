// What travels over /v1/api/audit. Shared by the server, the command line and the tests.
#pragma once

#include "api/wire/forms.hpp"
#include "base/field.hpp"
#include "base/field_notes.hpp"

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

    static constexpr wire::Noun noun{"AuditEvent",
                                     "Something that was done to users, tokens or the server."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = AuditEventView;
        return std::tuple(
            field("object", &View::object, "Always `audit.event`.", one_of("audit.event")),
            field("id", &View::id, "Its name.", example("evt_0PRkT5Kq3w9ZbXcVnM4aYdTe8uIo2L"),
                  id_of_event),
            field("at", &View::at, "When it happened.", example("2026-01-31T09:30:00.000Z"),
                  moment),
            field("actor", &View::actor, "Who did it.", example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("action", &View::action, "What was done.", example("note")),
            field("target", &View::target, "To what, or what was noted.",
                  example("Upgraded to 1.4.2")),
            field("address", &View::address, "From which network address.", example("192.0.2.7")),
            field("request_id", &View::request_id, "By which request, as the log names it.",
                  example("req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")));
    }
};

struct NewAuditNote {
    std::string note;

    static constexpr wire::Noun noun{"NewAuditNote", "A note for the audit log."};
    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(field("note", &NewAuditNote::note,
                                "What whoever reads the log later should know.",
                                characters(1, 1000), example("Upgraded to 1.4.2")));
    }
};

struct AuditEventPath {
    std::string event;

    static constexpr auto fields()
    {
        return std::tuple(wire::field("event", &AuditEventPath::event, "The event's id."));
    }
};

}  // namespace parley::api
