// Requests and responses of /v1/api/automations.
#pragma once

#include "api/wire/automation_parts.hpp"
#include "api/wire/automation_trigger.hpp"
#include "api/wire/list.hpp"
#include "api/wire/metadata.hpp"
#include "api/wire/response_format.hpp"
#include "api/wire/sampling.hpp"
#include "api/wire/session.hpp"
#include "api/wire/stop_texts.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

// Everything that can be configured. The store keeps it in this form.
struct AutomationDefinition {
    std::string name;
    std::string message;
    std::vector<VariableBody> variables;
    std::optional<std::string> instructions;
    std::optional<std::string> model;
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> seed;
    std::optional<SomeStopTexts> stop;
    std::optional<ResponseFormat> response_format;
    SessionPolicyBody session;
    std::optional<Trigger> trigger;
    std::optional<Overlap> overlap;
    CatchUp catch_up = CatchUp::latest;
    std::int64_t catch_up_window_s = 86'400;
    RetryBody retry;
    std::optional<std::int64_t> timeout_s;
    fields::Nullable<std::int64_t> pause_after_failures = 10;
    std::optional<std::int64_t> output_tokens_per_day;
    bool paused = false;
    Metadata metadata;

    static constexpr fields::SchemaInfo schema_info{
        "NewAutomation",
        "A new automation: its message, its trigger, and its handling of failures."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = AutomationDefinition;
        return std::tuple(
            field("name", &This::name, "Name of the automation.", characters(1, 128),
                  example("Digest")),
            field("message", &This::message,
                  "The message, a template: `{{name}}` stands for a variable, `\\{{` for two "
                  "braces. Always available: `{{run.scheduled_for}}`, `{{run.local_date}}`, "
                  "`{{run.local_time}}`, `{{run.key}}`, `{{run.trigger}}`, `{{automation.name}}`.",
                  length(1, 131'072), example("Write a haiku about {{run.local_date}}.")),
            field("variables", &This::variables, "The variables of the template.", length(0, 32),
                  defaults_to(empty)),
            field("instructions", &This::instructions,
                  "Instructions of new sessions (system prompt). Not a template.",
                  instructions_length),
            field("model", &This::model, "Null: the session's, or the server's default.",
                  model_length),
            field("max_output_tokens", &This::max_output_tokens,
                  "Maximum number of output tokens of an attempt.", range(1, 32'768)),
            field("temperature", &This::temperature,
                  "Sampling temperature; 0 is most deterministic.", range(0, 2)),
            field("top_p", &This::top_p, "Nucleus sampling: sample from this probability mass.",
                  above(0, 1)),
            field("seed", &This::seed,
                  "The same seed gives the same answer, if the model supports it.",
                  range(0, 4'294'967'295.0)),
            field("stop", &This::stop,
                  "The answer stops before any of these: one text, or 1 to 4 texts."),
            field("response_format", &This::response_format,
                  "The format of the answer. Null: text. Not together with `stop`. An answer that "
                  "is cut by `max_output_tokens` is a failure."),
            field("session", &This::session, "The session in which it asks.", defaults_to(empty)),
            field("trigger", &This::trigger, "When it is due. Null: only if it is run by hand."),
            field("overlap", &This::overlap,
                  "If it is due while an earlier run has not ended: `skip`, `queue` (up to 100), "
                  "`cancel` the earlier one, or `allow` both. Absent: `skip` with a schedule, else "
                  "`queue`."),
            field("catch_up", &This::catch_up,
                  "Due times that the server could not record within 60 seconds, for example while "
                  "it was off: "
                  "run `none`, the `latest`, or `all` (the newest 100). The others are `missed`.",
                  defaults_to(CatchUp::latest)),
            field("catch_up_window_s", &This::catch_up_window_s,
                  "Due times that are older than this are always `missed`.", range(60, 604'800),
                  defaults_to(86'400)),
            field("retry", &This::retry, "Retries of failed attempts.", defaults_to(empty)),
            field("timeout_s", &This::timeout_s,
                  "Time limit of one attempt, in seconds. Absent: 300, or the server's limit.",
                  range(1, 86'400)),
            field("pause_after_failures", &This::pause_after_failures,
                  "Pauses after so many failed runs in a row. Absent: 10; null: never.",
                  range(1, 100)),
            field("output_tokens_per_day", &This::output_tokens_per_day,
                  "Budget: output tokens within any 24 hours. Needs `max_output_tokens`.",
                  range(1, 1'000'000'000)),
            field("paused", &This::paused,
                  "If true, the automation is paused and does not become due.", defaults_to(false)),
            field("metadata", &This::metadata, "Yours.", metadata_size, metadata_keys,
                  metadata_values, defaults_to(empty)));
    }
};

struct HookView {
    std::string id = {};
    std::string url = {};
    std::string secret_hint = {};
    std::optional<std::string> secret = {};
    std::optional<std::string> old_secret_until = {};

    static constexpr fields::SchemaInfo schema_info{
        "Hook", "The hook of an automation: each call starts one run."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = HookView;
        return std::tuple(
            field("id", &View::id, "Id of the hook.", example("hok_01J9ZQ8R0000000000000000AB"),
                  id_of_hook),
            field("url", &View::url,
                  "URL for calls; a path if the server does not know its public address.",
                  example("https://chat.example.org/v1/api/hooks/hok_01J9ZQ8R0000000000000000AB")),
            field("secret_hint", &View::secret_hint, "The end of the secret.",
                  example("plh_…a1B2")),
            field("secret", &View::secret,
                  "The token that calls carry, or the secret that signs them. Shown only when it "
                  "was made.",
                  omit_if_absent, example("plh_0123456789abcdefghijklmnopqrstuv0Xr2sE")),
            field("old_secret_until", &View::old_secret_until,
                  "When the last replaced secret expires. Null: only the current secret is valid.",
                  moment));
    }
};

struct AutomationView : AutomationDefinition {
    std::string object = "automation";
    std::string id;
    std::int64_t revision = 1;
    AutomationState state = AutomationState::active;
    std::optional<PauseReason> pause_reason;
    std::optional<std::string> next_at;
    std::optional<HookView> hook;
    std::optional<std::string> last_run;
    std::int64_t consecutive_failures = 0;
    std::string created_at;
    std::string updated_at;

    static constexpr fields::SchemaInfo schema_info{
        "Automation",
        "A message that is sent to a model at set times, after events, by calls of a hook, or by "
        "hand."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = AutomationView;
        return std::tuple_cat(
            std::tuple(field("object", &View::object, "Always `automation`.", one_of("automation")),
                       field("id", &View::id, "Id of the automation.",
                             example("aut_01J9ZQ8R0000000000000000AB"), id_of_automation)),
            AutomationDefinition::fields(),
            std::tuple(
                field("revision", &View::revision, "Grows with each change.", example(1)),
                field("state", &View::state, "`ended`: its schedule has no further times.",
                      example(AutomationState::active)),
                field("pause_reason", &View::pause_reason,
                      "Why it is paused: by the `user`, after `failures`, or because its "
                      "`time_zone` is no longer known."),
                field("next_at", &View::next_at, "When it is due next.", moment),
                field("hook", &View::hook, "Automations with a hook trigger only: the hook."),
                field("last_run", &View::last_run, "Id of its newest run."),
                field("consecutive_failures", &View::consecutive_failures,
                      "Failed runs since the last completed one."),
                field("created_at", &View::created_at, "When it was created.",
                      example("2026-01-31T09:30:00.000Z"), moment),
                field("updated_at", &View::updated_at, "When it last changed.",
                      example("2026-01-31T09:30:00.000Z"), moment)));
    }
};

struct AutomationPath {
    std::string automation;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("automation", &AutomationPath::automation,
                                "The id of an automation.",
                                example("aut_01J9ZQ8R0000000000000000AB")));
    }
};

struct HookPath {
    std::string hook;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("hook", &HookPath::hook, "The id of a hook.",
                                example("hok_01J9ZQ8R0000000000000000AB")));
    }
};

struct HookRunPath {
    std::string hook;
    std::string run;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("hook", &HookRunPath::hook, "The id of a hook.",
                                example("hok_01J9ZQ8R0000000000000000AB")),
                          field("run", &HookRunPath::run, "The id of an automation's run.",
                                example("aru_01J9ZQ8R0000000000000000AB")));
    }
};

struct HookRotation {
    std::int64_t overlap_s = 86'400;

    static constexpr fields::SchemaInfo schema_info{"HookRotation",
                                                    "How long the old secret stays valid."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("overlap_s", &HookRotation::overlap_s,
                                "Seconds for which calls with the old secret are still accepted.",
                                range(0, 604'800), defaults_to(86'400)));
    }
};

struct AutomationsQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<AutomationState> state;
    std::optional<std::string> q;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = AutomationsQuery;
        return std::tuple(
            page_limit(&This::limit), page_after(&This::after),
            field("state", &This::state, "Only automations in this state."),
            field("q", &This::q, "Only automations with this text in their name, ignoring case.",
                  length(1, 200)));
    }
};

}  // namespace parley::api
