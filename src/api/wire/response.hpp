// A response of the Responses API in OpenAI's shape: a question and its answer.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/metadata.hpp"
#include "api/wire/response_item.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

inline constexpr auto id_of_response = fields::pattern("^resp_[0-9A-Za-z_]{1,36}$");

enum class ResponseStatus { queued, in_progress, completed, incomplete, failed, cancelled };

constexpr auto names_of(ResponseStatus)
{
    return std::array{fields::Named{ResponseStatus::queued, "queued"},
                      fields::Named{ResponseStatus::in_progress, "in_progress"},
                      fields::Named{ResponseStatus::completed, "completed"},
                      fields::Named{ResponseStatus::incomplete, "incomplete"},
                      fields::Named{ResponseStatus::failed, "failed"},
                      fields::Named{ResponseStatus::cancelled, "cancelled"}};
}

struct ResponseInputDetails {
    std::int64_t cached_tokens = 0;
    std::int64_t cache_write_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{"ResponseInputDetails",
                                                    "Details of the input tokens."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseInputDetails;
        return std::tuple(field("cached_tokens", &This::cached_tokens,
                                "Tokens from the prompt cache.", example(0)),
                          field("cache_write_tokens", &This::cache_write_tokens, "Always 0."));
    }
};

struct ResponseOutputDetails {
    std::int64_t reasoning_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{"ResponseOutputDetails",
                                                    "Details of the output tokens."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("reasoning_tokens", &ResponseOutputDetails::reasoning_tokens, "Always 0."));
    }
};

struct ResponseUsage {
    std::int64_t input_tokens = 0;
    ResponseInputDetails input_tokens_details = {};
    std::int64_t output_tokens = 0;
    ResponseOutputDetails output_tokens_details = {};
    std::int64_t total_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{"ResponseUsage",
                                                    "Tokens of the question and the answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseUsage;
        return std::tuple(
            field("input_tokens", &This::input_tokens, "Input tokens.", example(12)),
            field("input_tokens_details", &This::input_tokens_details, "Details of them."),
            field("output_tokens", &This::output_tokens, "Output tokens.", example(3)),
            field("output_tokens_details", &This::output_tokens_details, "Details of them."),
            field("total_tokens", &This::total_tokens, "Both together.", example(15)));
    }
};

struct ResponseError {
    std::string code = "server_error";
    std::string message = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseError", "Why a response failed."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseError;
        return std::tuple(
            field("code", &This::code, "The kind of error that OpenAI's clients know.",
                  one_of("server_error", "rate_limit_exceeded"), example("server_error")),
            field("message", &This::message, "Description of the error.",
                  example("The model failed.")));
    }
};

struct IncompleteDetails {
    std::string reason = "max_output_tokens";

    static constexpr fields::SchemaInfo schema_info{"ResponseIncompleteDetails",
                                                    "Why a response is not complete."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("reason", &IncompleteDetails::reason, "Always `max_output_tokens`.",
                                one_of("max_output_tokens")));
    }
};

struct ResponseTextView {
    boost::json::value format = boost::json::object{{"type", "text"}};

    static constexpr fields::SchemaInfo schema_info{"ResponseText", "The text of the answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("format", &ResponseTextView::format,
                                "The format that was asked for.", json_type("object")));
    }
};

struct ResponseView {
    std::string id = {};
    std::string object = "response";
    std::int64_t created_at = 0;
    ResponseStatus status = ResponseStatus::in_progress;
    bool background = false;
    std::optional<std::int64_t> completed_at = {};
    std::optional<ResponseError> error = {};
    std::optional<IncompleteDetails> incomplete_details = {};
    std::optional<std::string> instructions = {};
    std::optional<std::int64_t> max_output_tokens = {};
    std::string model = {};
    std::vector<ResponseItem> output = {};
    bool parallel_tool_calls = true;
    std::optional<std::string> previous_response_id = {};
    bool store = true;
    std::optional<double> temperature = {};
    ResponseTextView text = {};
    boost::json::value tool_choice = "auto";
    std::vector<boost::json::object> tools = {};
    std::optional<double> top_p = {};
    std::string truncation = "auto";
    std::optional<ResponseUsage> usage = {};
    Metadata metadata = {};
    std::optional<std::string> session_id = {};

    static constexpr fields::SchemaInfo schema_info{"Response", "A question and its answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseView;
        return std::tuple_cat(
            std::tuple(
                field("id", &This::id, "Id of the response: that of its run, with another prefix.",
                      example("resp_01J9ZQ8R0000000000000000AB"), id_of_response),
                field("object", &This::object, "Always `response`.", one_of("response")),
                field("created_at", &This::created_at, "When it was created, in Unix seconds.",
                      example(1'769'851'800)),
                field("status", &This::status, "The state of the response.",
                      example(ResponseStatus::completed)),
                field("background", &This::background, "As requested."),
                field("completed_at", &This::completed_at, "When it ended, in Unix seconds."),
                field("error", &This::error, "Why it failed."),
                field("incomplete_details", &This::incomplete_details, "Why it is not complete."),
                field("instructions", &This::instructions, "As requested."),
                field("max_output_tokens", &This::max_output_tokens, "As requested."),
                field("model", &This::model, "The model that answers.", example("scripted")),
                field("output", &This::output,
                      "The answer: a message, calls of functions, or both. Empty before its first "
                      "token."),
                field("parallel_tool_calls", &This::parallel_tool_calls, "As requested."),
                field("previous_response_id", &This::previous_response_id, "As requested.",
                      id_of_response)),
            std::tuple(
                field("store", &This::store, "Whether it is stored.", example(true)),
                field("temperature", &This::temperature, "As requested."),
                field("text", &This::text, "The text of the answer."),
                field("tool_choice", &This::tool_choice, "As requested.", example("auto")),
                field("tools", &This::tools, "As requested."),
                field("top_p", &This::top_p, "As requested."),
                field("truncation", &This::truncation,
                      "Always `auto`: a conversation that is too long for the model is cut, oldest "
                      "turns first.",
                      one_of("auto")),
                field("usage", &This::usage, "Null until it has ended, and if unknown."),
                field("metadata", &This::metadata, "As requested."),
                field("session_id", &This::session_id, "The session of a stored response.",
                      omit_if_absent, example("ses_01J9ZQ8R0000000000000000AB"), id_of_session)));
    }
};

struct DeletedResponse {
    std::string id = {};
    std::string object = "response";
    bool deleted = true;

    static constexpr fields::SchemaInfo schema_info{"DeletedResponse", "A deleted response."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = DeletedResponse;
        return std::tuple(field("id", &This::id, "Its id.",
                                example("resp_01J9ZQ8R0000000000000000AB"), id_of_response),
                          field("object", &This::object, "Always `response`.", one_of("response")),
                          field("deleted", &This::deleted, "Always true.", example(true)));
    }
};

struct ResponsePath {
    std::string response;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("response", &ResponsePath::response, "The id of a response.",
                                example("resp_01J9ZQ8R0000000000000000AB")));
    }
};

struct ResponseQuery {
    std::optional<bool> stream;
    std::optional<std::int64_t> starting_after;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseQuery;
        return std::tuple(
            field("stream", &This::stream, "Sends the events of the response."),
            field("starting_after", &This::starting_after,
                  "Only events after this `sequence_number`.", range(0, 9'007'199'254'740'991)));
    }
};

}  // namespace parley::api
