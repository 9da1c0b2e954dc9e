// The parts of an automation: its variables, its session and its retries.
#pragma once

#include "api/wire/forms.hpp"
#include "domain/automation.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct VariableBody {
    std::string name;
    std::optional<std::string> pointer = {};
    std::optional<std::string> default_value = {};
    bool required = false;
    std::optional<std::int64_t> max_bytes = {};
    bool cut = false;

    static constexpr fields::SchemaInfo schema_info{"AutomationVariable",
                                                    "A value that goes into the message.", true};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = VariableBody;
        return std::tuple(
            field("name", &This::name, "A lower-case letter, then letters, digits and `_`.",
                  length(1, 32), example("reader")),
            field("pointer", &This::pointer,
                  "JSON pointer (RFC 6901) to the value in the given variables, the event or the "
                  "body of a call. Absent: `/` and the name.",
                  length(0, 1'000)),
            field("default", &This::default_value, "Used if the value is missing or null.",
                  length(0, 131'072), example("Ana")),
            field("required", &This::required,
                  "If true, a request without a value is refused, and any other run without one "
                  "fails.",
                  defaults_to(false)),
            field("max_bytes", &This::max_bytes, "Maximum size of a value in bytes.",
                  range(1, 131'072)),
            field("cut", &This::cut, "If true, a longer value is cut instead of refused.",
                  defaults_to(false)));
    }
};

enum class SessionPolicy { fresh, go_on };

constexpr auto names_of(SessionPolicy)
{
    using fields::Named;
    return std::array{Named{SessionPolicy::fresh, "new"}, Named{SessionPolicy::go_on, "continue"}};
}

struct SessionPolicyBody {
    SessionPolicy policy = SessionPolicy::fresh;
    fields::Nullable<std::int64_t> keep = {};
    std::optional<std::string> session_id = {};

    static constexpr fields::SchemaInfo schema_info{
        "AutomationSession", "The sessions in which an automation asks.", true};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = SessionPolicyBody;
        return std::tuple(
            field("policy", &This::policy,
                  "`new`: a new session for each run. `continue`: always the same one.",
                  defaults_to(SessionPolicy::fresh)),
            field("keep", &This::keep,
                  "With `new`: older sessions of the automation are deleted. Absent: 30 are kept; "
                  "null: all.",
                  range(1, 1'000)),
            field("session_id", &This::session_id,
                  "With `continue`: the session. Null: the first run creates it.", length(1, 64)));
    }
};

struct RetryBody {
    std::int64_t max_attempts = 3;
    std::int64_t backoff_s = 30;

    static constexpr fields::SchemaInfo schema_info{
        "AutomationRetry", "Retries after transient errors: 502, 503, 504 and interruptions.",
        true};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = RetryBody;
        return std::tuple(
            field("max_attempts", &This::max_attempts, "Attempts, the first one included.",
                  range(1, 10), defaults_to(3)),
            field("backoff_s", &This::backoff_s,
                  "Seconds before the second attempt, doubled before each further one.",
                  range(1, 3'600), defaults_to(30)));
    }
};

}  // namespace parley::api
