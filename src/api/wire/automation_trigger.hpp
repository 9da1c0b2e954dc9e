// Triggers of automations: a schedule, events of the log, or calls to a hook.
#pragma once

#include "api/wire/forms.hpp"
#include "domain/automation.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"
#include "fields/special.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace parley::api {

struct ScheduleTrigger {
    std::string type = "schedule";
    std::optional<std::string> cron = {};
    std::optional<std::string> at = {};
    std::optional<std::string> time_zone = {};
    std::int64_t every_weeks = 1;
    std::optional<std::string> starts_at = {};
    std::optional<std::string> ends_at = {};

    static constexpr fields::SchemaInfo schema_info{"ScheduleTrigger",
                                                    "The automation is due at set times.", true};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ScheduleTrigger;
        return std::tuple(
            field("type", &This::type, "Always `schedule`.", one_of("schedule")),
            field("cron", &This::cron,
                  "Minute, hour, day of month, month, day of week, as in cron; `L` is the last day "
                  "of a month, `FRI#2` its second Friday. Exactly one of `cron` and `at`.",
                  length(1, 256), example("0 9 * * MON-FRI")),
            field("at", &This::at, "A single time.", moment),
            field("time_zone", &This::time_zone, "Required: a name of the IANA database.",
                  length(1, 64), example("Europe/Berlin")),
            field("every_weeks", &This::every_weeks,
                  "Only in every n-th week, counted from the week of `starts_at`.", range(1, 52),
                  defaults_to(1)),
            field("starts_at", &This::starts_at, "Not before this time.", moment),
            field("ends_at", &This::ends_at, "Not after this time.", moment));
    }
};

struct EventTrigger {
    std::string type = "event";
    std::vector<std::string> event_types = {};
    std::optional<std::string> automation_id = {};
    std::optional<std::string> session_id = {};

    static constexpr fields::SchemaInfo schema_info{
        "EventTrigger", "The automation is due once for each of these events in your log.", true};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = EventTrigger;
        return std::tuple(
            field("type", &This::type, "Always `event`.", one_of("event")),
            field("event_types", &This::event_types,
                  "Types of events; `chat.run.*` stands for all types that begin with `chat.run.`.",
                  length(1, 20), each(length(1, 64))),
            field("automation_id", &This::automation_id,
                  "Only events about this automation or its runs.", length(1, 64)),
            field("session_id", &This::session_id, "Only events about this session or its runs.",
                  length(1, 64)));
    }
};

struct HookTrigger {
    std::string type = "hook";
    HookVerification verify = HookVerification::token;
    std::optional<std::string> dedupe_pointer = {};

    static constexpr fields::SchemaInfo schema_info{
        "HookTrigger", "The automation is due once for each call of its hook.", true};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = HookTrigger;
        return std::tuple(
            field("type", &This::type, "Always `hook`.", one_of("hook")),
            field("verify", &This::verify,
                  "How callers are checked: by a `token`, or by a signature of the body as "
                  "`standard_webhooks` or `github` make it.",
                  defaults_to(HookVerification::token)),
            field(
                "dedupe_pointer", &This::dedupe_pointer,
                "JSON pointer (RFC 6901) to the key of a call in its body. Used if no header field "
                "has a key; with `github` it takes precedence, because only the body is signed.",
                length(0, 1'000), example("/delivery/id")));
    }
};

// One of them; `type` tells which.
class Trigger {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema(fields::Direction direction);
    boost::json::value to_json() const;

    ScheduleTrigger* schedule() { return std::get_if<ScheduleTrigger>(&kind); }
    const ScheduleTrigger* schedule() const { return std::get_if<ScheduleTrigger>(&kind); }
    const EventTrigger* event() const { return std::get_if<EventTrigger>(&kind); }
    const HookTrigger* hook() const { return std::get_if<HookTrigger>(&kind); }

    std::variant<ScheduleTrigger, EventTrigger, HookTrigger> kind;
};

}  // namespace parley::api
