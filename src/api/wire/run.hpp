// Runs in responses: a question and its answer.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/list.hpp"
#include "api/wire/message.hpp"
#include "domain/chat.hpp"
#include "fields/schema.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace parley::api {

struct UsageView {
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    std::int64_t total_tokens = 0;
    std::int64_t cached_input_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{"Usage", "Token usage of a run."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = UsageView;
        return std::tuple(
            field("input_tokens", &View::input_tokens, "Input tokens.", example(12)),
            field("output_tokens", &View::output_tokens, "Output tokens.", example(3)),
            field("total_tokens", &View::total_tokens, "Both together.", example(15)),
            field("cached_input_tokens", &View::cached_input_tokens,
                  "Input tokens from the prompt cache.", example(0)));
    }
};

// Why a run failed, as RunProblems::shown() in api/run_problems.hpp writes it.
struct RunProblem {
    std::string type;
    std::string title;
    std::int64_t status = 0;
    std::string detail;
    std::string code;
    std::optional<std::int64_t> retry_after;

    static constexpr fields::SchemaInfo schema_info{
        "RunProblem", "The error of a failed run: a problem (RFC 9457)."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = RunProblem;
        return std::tuple(
            field("type", &This::type, "The address of a page about it.",
                  example("/problems/upstream_error")),
            field("title", &This::title, "Short description of the problem.",
                  example("The model's server failed")),
            field("status", &This::status, "The HTTP status of a waiting request.", example(502)),
            field("detail", &This::detail, "Description of this occurrence.",
                  example("The model failed.")),
            field("code", &This::code, "The kind of problem, for programs.",
                  example("upstream_error")),
            field("retry_after", &This::retry_after, "Seconds after which to retry.",
                  omit_if_absent));
    }
};

struct RunView {
    std::string object = "chat.run";
    std::string id;
    RunStatus status = RunStatus::queued;
    std::string session_id;
    std::optional<std::string> automation_run_id;
    std::string model;
    std::optional<std::int64_t> queue_position;
    std::string created_at;
    std::optional<std::string> started_at;
    std::optional<std::string> completed_at;
    MessageView user_message;
    std::optional<MessageView> message;
    std::optional<boost::json::value> output;
    std::optional<UsageView> usage;
    std::optional<boost::json::object> error;
    Metadata metadata;

    static constexpr fields::SchemaInfo schema_info{"ChatRun", "A question and its answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = RunView;
        return std::tuple(
            field("object", &View::object, "Always `chat.run`.", one_of("chat.run")),
            field("id", &View::id, "Id of the run.", example("run_01J9ZQ8R0000000000000000AB"),
                  id_of_run),
            field("status", &View::status, "The state of the run.", example(RunStatus::completed)),
            field("session_id", &View::session_id, "Id of its session.",
                  example("ses_01J9ZQ8R0000000000000000AB"), id_of_session),
            field("automation_run_id", &View::automation_run_id,
                  "Id of the run of the automation that has asked. Null for your own questions.",
                  example("aru_01J9ZQ8R0000000000000000AB"), id_of_automation_run),
            field("model", &View::model, "The model that answers.", example("scripted")),
            field("queue_position", &View::queue_position, "Position in the queue, from 1."),
            field("created_at", &View::created_at, "When the question was stored.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("started_at", &View::started_at, "When the model began.", moment),
            field("completed_at", &View::completed_at, "When the run ended.", moment),
            field("user_message", &View::user_message, "The question."),
            field("message", &View::message,
                  "The answer, or its text so far; null before the first token."),
            field("output", &View::output,
                  "With `response_format`: the parsed answer. Null without it, and if the answer "
                  "is not complete.",
                  example(std::optional<std::int64_t>())),
            field("usage", &View::usage, "Null until the run has ended, and if unknown."),
            field("error", &View::error, "Failed runs only: the error.", shaped_as<RunProblem>,
                  example(std::optional<std::int64_t>())),
            field("metadata", &View::metadata, "The metadata of the question."));
    }
};

struct RunPath {
    std::string run;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("run", &RunPath::run, "The id of a run.",
                                example("run_01J9ZQ8R0000000000000000AB")));
    }
};

struct RunsQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<RunStatus> status;
    std::optional<std::string> session_id;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = RunsQuery;
        return std::tuple(
            page_limit(&This::limit), page_after(&This::after),
            field("status", &This::status, "Only runs with this status."),
            field("session_id", &This::session_id, "Only runs of this session.", length(1, 64)));
    }
};

struct EventsQuery {
    std::optional<std::string> after;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("after", &EventsQuery::after,
                                "The number of the last event that you received; also as the "
                                "header field `Last-Event-ID`.",
                                example("7")));
    }
};

}  // namespace parley::api
