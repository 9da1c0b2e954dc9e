// Requests and responses of /v1/api/webhooks.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/list.hpp"
#include "api/wire/metadata.hpp"
#include "domain/webhook.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

// An example of a list that must not be empty.
struct TypesExample {
    void check(const std::vector<std::string>& /*names*/, const fields::FieldPath& /*at*/) const {}
    void describe(boost::json::object& schema) const
    {
        schema["examples"] = boost::json::array{{"chat.run.completed", "automation.run.*"}};
    }
};

// Everything that can be configured.
struct WebhookDefinition {
    std::string url;
    std::vector<std::string> event_types;
    WebhookPayload payload = WebhookPayload::thin;
    bool ordered = false;
    std::optional<std::string> description;
    Metadata metadata;

    static constexpr fields::SchemaInfo schema_info{
        "NewWebhook", "A new webhook: its URL, its events, and how they are sent."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = WebhookDefinition;
        return std::tuple(
            field("url", &This::url,
                  "URL to send the events to: https, port 443, 80 or from 1024 on, at most 2048 "
                  "bytes. All addresses of the host must be public.",
                  length(1, 2048), example("https://example.com/parley")),
            field("event_types", &This::event_types,
                  "The types to send; `chat.run.*` stands for all types that begin with "
                  "`chat.run.`.",
                  length(1, 20), each(length(1, 64)), TypesExample{}),
            field("payload", &This::payload,
                  "`thin`: the event as in the event log. `full`: its `data` also contains the "
                  "object, as `snapshot`.",
                  defaults_to(WebhookPayload::thin)),
            field("ordered", &This::ordered,
                  "Sends one event at a time, strictly in order: an event that fails delays those "
                  "after it.",
                  defaults_to(false)),
            field("description", &This::description, "Yours.", characters(0, 512)),
            field("metadata", &This::metadata, "Yours.", metadata_size, metadata_keys,
                  metadata_values, defaults_to(empty)));
    }
};

struct WebhookSettings : WebhookDefinition {
    WebhookState state = WebhookState::active;

    static constexpr fields::SchemaInfo schema_info{
        "WebhookSettings", "Changes to a webhook; absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple_cat(WebhookDefinition::fields(),
                              std::tuple(field("state", &WebhookSettings::state,
                                               "`disabled`: nothing is queued or sent. Set it to "
                                               "`active` to send the events from then on.",
                                               defaults_to(WebhookState::active))));
    }
};

struct WebhookView : WebhookSettings {
    std::string object = "webhook";
    std::string id;
    std::optional<DisabledReason> disabled_reason;
    std::string secret_hint;
    std::optional<std::string> secret;
    std::optional<std::string> last_success_at;
    std::optional<std::string> last_failure_at;
    std::int64_t cursor = 0;
    std::string created_at;
    std::string updated_at;

    static constexpr fields::SchemaInfo schema_info{"Webhook", "An endpoint that receives events."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = WebhookView;
        return std::tuple_cat(
            std::tuple(field("object", &View::object, "Always `webhook`.", one_of("webhook")),
                       field("id", &View::id, "Id of the webhook.",
                             example("whk_01J9ZQ8R0000000000000000AB"), id_of_webhook)),
            WebhookSettings::fields(),
            std::tuple(
                field("disabled_reason", &View::disabled_reason,
                      "Why it is disabled: by the `user`, because it answered 410 (`gone`), or "
                      "after `failures` for 5 days."),
                field("secret_hint", &View::secret_hint, "The end of the secret.",
                      example("whsec_…x9Q=")),
                field("secret", &View::secret,
                      "The secret that signs the events. Shown only when it was made.",
                      omit_if_absent, example("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")),
                field("last_success_at", &View::last_success_at,
                      "When an event was last delivered.", moment),
                field("last_failure_at", &View::last_failure_at, "When an attempt last failed.",
                      moment),
                field("cursor", &View::cursor,
                      "Number of the last event of the log that was examined for it.", example(42)),
                field("created_at", &View::created_at, "When it was created.",
                      example("2026-01-31T09:30:00.000Z"), moment),
                field("updated_at", &View::updated_at, "When it last changed.",
                      example("2026-01-31T09:30:00.000Z"), moment)));
    }
};

struct WebhookPath {
    std::string webhook;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("webhook", &WebhookPath::webhook, "The id of a webhook.",
                                example("whk_01J9ZQ8R0000000000000000AB")));
    }
};

struct RotateBody {
    std::int64_t overlap_s = 86'400;

    static constexpr fields::SchemaInfo schema_info{"SecretRotation",
                                                    "How long the old secret stays valid."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("overlap_s", &RotateBody::overlap_s,
                                "Seconds for which events are signed with both secrets.",
                                range(0, 604'800), defaults_to(86'400)));
    }
};

}  // namespace parley::api
