// Request header fields that operations read themselves, documented for the reference. They are
// checked in the code that reads them: idempotency.hpp, prefer.hpp, with_etag.hpp.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

inline constexpr auto about_idempotency_key =
    "Makes it safe to repeat the request: 1 to 255 visible characters, quoted or not, valid for 24 "
    "hours. Use a random UUID.";

// Bare, or in quotes as structured fields (RFC 8941) have them.
inline constexpr auto idempotency_key_pattern =
    R"re(^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}")$)re";

inline constexpr auto delivery_key_pattern = "^[!-~]{1,255}$";

struct IdempotencyFields {
    std::optional<std::string> key;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("Idempotency-Key", &IdempotencyFields::key, about_idempotency_key,
                                pattern(idempotency_key_pattern),
                                example("8e03978e-40d5-43e8-bc93-6894a57f9324")));
    }
};

inline constexpr auto event_number_pattern = "^[0-9]{1,15}$";

struct QueryFields {
    std::optional<std::string> key;
    std::optional<std::string> prefer;
    std::optional<std::string> last;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("Idempotency-Key", &QueryFields::key, about_idempotency_key,
                  pattern(idempotency_key_pattern),
                  example("8e03978e-40d5-43e8-bc93-6894a57f9324")),
            field("Prefer", &QueryFields::prefer,
                  "`wait=N` (RFC 7240): seconds to wait for the answer before the response is 202.",
                  example("wait=10")),
            field("Last-Event-ID", &QueryFields::last,
                  "For a stream that is replayed by its `Idempotency-Key`: the number of the last "
                  "event that you received.",
                  pattern(event_number_pattern)));
    }
};

struct StartFields {
    std::optional<std::string> key;
    std::optional<std::string> prefer;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("Idempotency-Key", &StartFields::key, about_idempotency_key,
                  pattern(idempotency_key_pattern)),
            field("Prefer", &StartFields::prefer,
                  "`wait=N` (RFC 7240): seconds to wait for the end before the response is 202.",
                  example("wait=10")));
    }
};

struct HookFields {
    std::optional<std::string> key;
    std::optional<std::string> webhook_id;
    std::optional<std::string> github_delivery;
    std::optional<std::string> prefer;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = HookFields;
        return std::tuple(
            field("Idempotency-Key", &This::key,
                  "Makes it safe to repeat the call: 1 to 255 visible characters, quoted or not, "
                  "valid as long as the run is kept.",
                  pattern(idempotency_key_pattern)),
            field("webhook-id", &This::webhook_id, "The key, if there is no Idempotency-Key.",
                  pattern(delivery_key_pattern)),
            field("X-GitHub-Delivery", &This::github_delivery,
                  "The key, if neither of the other two is sent.", pattern(delivery_key_pattern)),
            field("Prefer", &This::prefer,
                  "`wait=N` (RFC 7240): seconds to wait for the end before the response is 202.",
                  example("wait=10")));
    }
};

struct ResumeFields {
    std::optional<std::string> last;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("Last-Event-ID", &ResumeFields::last,
                                "The number of the last event that you received, as browsers send "
                                "it; takes precedence over `after`.",
                                pattern(event_number_pattern), example("7")));
    }
};

struct ConditionalFields {
    std::optional<std::string> if_match;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("If-Match", &ConditionalFields::if_match,
                  "The ETag of the version to change; if the resource has changed since: 412.",
                  example("*")));
    }
};

}  // namespace parley::api
