// Requests and responses of /v1/api/automation_runs, of previews and of due times.
#pragma once

#include "api/wire/automation.hpp"
#include "api/wire/run.hpp"

#include <boost/json/object.hpp>

#include <map>

namespace parley::api {

struct AttemptView {
    std::int64_t number = 1;
    std::string run_id;
    RunStatus status = RunStatus::running;
    std::optional<boost::json::object> error;
    std::string started_at;
    std::optional<std::string> completed_at;

    static constexpr fields::SchemaInfo schema_info{"AutomationAttempt",
                                                    "One attempt to answer the question."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = AttemptView;
        return std::tuple(field("number", &View::number, "From 1.", example(1)),
                          field("run_id", &View::run_id, "The run of this attempt.", id_of_run,
                                example("run_01J9ZQ8R0000000000000000AB")),
                          field("status", &View::status, "The state of the run."),
                          field("error", &View::error, "Failed attempts only: the error.",
                                shaped_as<RunProblem>, example(std::optional<std::int64_t>())),
                          field("started_at", &View::started_at, "When it was started.", moment,
                                example("2026-01-31T09:30:00.000Z")),
                          field("completed_at", &View::completed_at, "When it ended.", moment));
    }
};

struct AutomationRunView {
    std::string object = "automation.run";
    std::string id;
    std::string automation_id;
    std::int64_t revision = 1;
    TriggerType trigger = TriggerType::manual;
    std::string key;
    std::string scheduled_for;
    AutomationRunStatus status = AutomationRunStatus::queued;
    std::optional<SkipReason> skip_reason;
    std::optional<std::string> batch_id;
    std::map<std::string, std::string> variables;
    std::string message;
    std::optional<std::string> session_id;
    std::optional<std::string> run_id;
    std::vector<AttemptView> attempts;
    std::optional<std::string> next_attempt_at;
    std::optional<UsageView> usage;
    std::optional<boost::json::object> error;
    std::optional<std::int64_t> missed_count;
    std::string created_at;
    std::optional<std::string> started_at;
    std::optional<std::string> completed_at;
    std::optional<RunView> run;
    fields::Nullable<boost::json::value> output;

    static constexpr fields::SchemaInfo schema_info{
        "AutomationRun", "One time that an automation was due or was run by hand."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = AutomationRunView;
        return std::tuple(
            field("object", &View::object, "Always `automation.run`.", one_of("automation.run")),
            field("id", &View::id, "Id of the run.", example("aru_01J9ZQ8R0000000000000000AB"),
                  id_of_automation_run),
            field("automation_id", &View::automation_id, "Id of its automation.",
                  example("aut_01J9ZQ8R0000000000000000AB"), id_of_automation),
            field("revision", &View::revision, "Revision of the automation when it became due."),
            field("trigger", &View::trigger, "How it became due."),
            field("key", &View::key,
                  "Unique within the automation: the due time, or the given key."),
            field("scheduled_for", &View::scheduled_for, "The due time.", moment,
                  example("2026-01-31T09:30:00.000Z")),
            field("status", &View::status,
                  "`queued`, `running`, `waiting` for the next attempt; or how it ended.",
                  example(AutomationRunStatus::completed)),
            field("skip_reason", &View::skip_reason, "Why it was skipped."),
            field("batch_id", &View::batch_id, "The batch that it belongs to."),
            field("variables", &View::variables, "The values that went into the message."),
            field("message", &View::message, "The message, with the values of its variables."),
            field("session_id", &View::session_id,
                  "Its session; null after the session was deleted."),
            field("run_id", &View::run_id, "The run of the last attempt."),
            field("attempts", &View::attempts, "All attempts, oldest first."),
            field("next_attempt_at", &View::next_attempt_at, "When the next attempt is made.",
                  moment),
            field("usage", &View::usage, "Token usage of all attempts; null if unknown."),
            field("error", &View::error, "Failed runs only: the error.", shaped_as<RunProblem>,
                  example(std::optional<std::int64_t>())),
            field("missed_count", &View::missed_count,
                  "Number of missed due times that this row stands for."),
            field("created_at", &View::created_at, "When it was recorded.", moment,
                  example("2026-01-31T09:30:00.000Z")),
            field("started_at", &View::started_at, "When the first attempt began.", moment),
            field("completed_at", &View::completed_at, "When it ended.", moment),
            field("run", &View::run,
                  "The run of the last attempt; only for a single row, and with `chat:read`.",
                  omit_if_absent),
            field("output", &View::output,
                  "The parsed answer, with `response_format`; only for a single row, and with "
                  "`chat:read`."));
    }
};

struct AutomationRunPath {
    std::string run;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("run", &AutomationRunPath::run, "The id of an automation's run.",
                                example("aru_01J9ZQ8R0000000000000000AB")));
    }
};

struct AutomationRunsQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<AutomationRunStatus> status;
    std::optional<TriggerType> trigger;
    std::optional<std::string> batch;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = AutomationRunsQuery;
        return std::tuple(
            page_limit(&This::limit), page_after(&This::after),
            field("status", &This::status, "Only runs with this status."),
            field("trigger", &This::trigger, "Only runs that became due in this way."),
            field("batch", &This::batch, "Only runs of this batch.", length(1, 64)));
    }
};

struct RunInputBody {
    std::optional<std::string> key;
    boost::json::object variables;

    static constexpr fields::SchemaInfo schema_info{"AutomationInput", "Values for one run."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = RunInputBody;
        return std::tuple(field("key", &This::key,
                                "Unique within the automation: a key that was used before returns "
                                "its run, and starts no other.",
                                length(1, 255)),
                          field("variables", &This::variables,
                                "Values for the variables of the message.", defaults_to(empty)));
    }
};

struct StartBody {
    std::optional<std::string> key;
    boost::json::object variables;
    std::optional<std::vector<RunInputBody>> inputs;

    static constexpr fields::SchemaInfo schema_info{"NewAutomationRun",
                                                    "Runs an automation, once or for many inputs."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = StartBody;
        return std::tuple(
            field("key", &This::key,
                  "Unique within the automation: a key that was used before returns its run, and "
                  "starts no other.",
                  length(1, 255)),
            field("variables", &This::variables, "Values for the variables of the message.",
                  defaults_to(empty)),
            field("inputs", &This::inputs, "Several runs at once: all are recorded, or none.",
                  length(1, 1'000)));
    }

    void check(Faults& faults) const
    {
        if (inputs && (key || !variables.empty()))
            faults.push_back(
                {"#/inputs", "not_allowed", "cannot be combined with key or variables"});
    }
};

struct OccurrenceView {
    std::string scheduled_for;
    std::string local;
    std::optional<std::string> note;

    static constexpr fields::SchemaInfo schema_info{"Occurrence", "A due time."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = OccurrenceView;
        return std::tuple(
            field("scheduled_for", &View::scheduled_for, "The due time.", moment,
                  example("2027-03-28T01:30:00.000Z")),
            field("local", &View::local, "The same in the schedule's time zone.", moment,
                  example("2027-03-28T03:30:00+02:00")),
            field("note", &View::note,
                  "`moved_by_clock_change` or `first_of_two`, if the clocks change."));
    }
};

struct OccurrencesQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> from;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = OccurrencesQuery;
        return std::tuple(
            page_limit(&This::limit), page_after(&This::after),
            field("from", &This::from, "Due times after this time. Absent: now.", moment));
    }
};

struct PreviewBody : AutomationDefinition {
    std::int64_t count = 10;
    std::optional<std::string> from;
    std::optional<boost::json::object> payload;

    static constexpr fields::SchemaInfo schema_info{"AutomationToPreview",
                                                    "An automation that is checked, not stored."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = PreviewBody;
        return std::tuple_cat(
            AutomationDefinition::fields(),
            std::tuple(
                field("count", &This::count, "Number of due times.", range(1, 100),
                      defaults_to(10)),
                field("from", &This::from, "Due times after this time. Absent: now.", moment),
                field("payload", &This::payload, "Values for the variables of the message.")));
    }
};

struct PreviewView {
    std::string object = "automation.preview";
    std::vector<OccurrenceView> occurrences;
    std::string message;
    std::int64_t input_tokens = 0;
    std::vector<std::string> warnings;
    std::optional<std::string> time_zone_version;

    static constexpr fields::SchemaInfo schema_info{
        "AutomationPreview", "The due times and the message of an automation, without running it."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = PreviewView;
        return std::tuple(
            field("object", &View::object, "Always `automation.preview`.",
                  one_of("automation.preview")),
            field("occurrences", &View::occurrences, "The next due times."),
            field("message", &View::message, "The message as it would be sent."),
            field("input_tokens", &View::input_tokens, "Tokens of instructions and message."),
            field("warnings", &View::warnings, "Possible mistakes."),
            field("time_zone_version", &View::time_zone_version,
                  "Version of the time zone database."));
    }
};

struct BatchView {
    std::string object = "list";
    std::string batch_id;
    std::vector<AutomationRunView> data;

    static constexpr fields::SchemaInfo schema_info{"AutomationBatch", "The runs of one request."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = BatchView;
        return std::tuple(field("object", &View::object, "Always `list`.", one_of("list")),
                          field("batch_id", &View::batch_id, "Id of the batch.",
                                example("bat_01J9ZQ8R0000000000000000AB")),
                          field("data", &View::data, "One run for each input, in order."));
    }
};

}  // namespace parley::api
