// The request of POST /v1/responses in OpenAI's shape.
#pragma once

#include "api/wire/completion_request.hpp"
#include "api/wire/metadata.hpp"
#include "api/wire/response_format.hpp"
#include "api/wire/sampling.hpp"
#include "api/wire/session.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"
#include "fields/special.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace parley::api {

// One item of the input.
struct InputItem {
    enum class Kind { user, assistant, instructions, call, result, reference };

    Kind kind = Kind::user;
    std::string text = {};     // A call: its arguments. A reference: the id of a stored item.
    std::string call_id = {};  // Only calls and results have one.
    std::string name = {};     // Only calls have one.
    std::size_t place = 0;     // Its index in the request.
    std::vector<InputImage> images = {};
};

// A text, or a list of items. Items of reasoning are ignored: they are notes of a model for itself.
class ResponseInput {
public:
    static constexpr std::size_t max_items = 10'000;

    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const;

    std::vector<InputItem> items;
};

struct ResponseText {
    std::optional<ResponseFormat> format;

    static constexpr fields::SchemaInfo schema_info{"NewResponseText", "The text of the answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("format", &ResponseText::format, "The format of the answer. Absent: text."));
    }
};

// The fields that select the model and the way to answer.
struct ResponseRoute {
    std::optional<std::string> model;
    std::optional<bool> stream;
    std::optional<bool> store;
    std::optional<bool> background;

    bool is_stored() const { return store.value_or(true); }

    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseRoute;
        return std::tuple(
            field("model", &This::model,
                  "The model. Absent: the model of the session, or the server's default.",
                  length(1, 128), example("scripted")),
            field("stream", &This::stream, "Streams the answer as events."),
            field("store", &This::store,
                  "False: nothing is stored, and a client that disconnects cancels the answer. "
                  "Absent: true."),
            field("background", &This::background,
                  "Responds at once, while the answer is being written. Needs `store`."));
    }
};

struct ResponseBody : ResponseRoute, SamplingFields {
    ResponseInput input;
    std::optional<std::string> instructions;
    std::optional<std::string> previous_response_id;
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<ResponseText> text;
    std::optional<Metadata> metadata;
    std::optional<std::int64_t> top_logprobs;
    std::optional<boost::json::value> tools;
    std::optional<boost::json::value> tool_choice;
    std::optional<bool> parallel_tool_calls;
    std::optional<boost::json::value> conversation;
    std::optional<boost::json::value> prompt;

    static constexpr fields::SchemaInfo schema_info{"NewResponse", "A question to a model."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseBody;
        constexpr std::string_view refused = "Not supported: refused with 400.";
        return std::tuple_cat(
            ResponseRoute::fields(), SamplingFields::fields(),
            std::tuple(
                field("input", &This::input,
                      "The question: a text, or the items of a conversation, which ends with a "
                      "message of the user or the result of a call."),
                field("instructions", &This::instructions,
                      "Instructions for this answer only; a later response does not inherit them.",
                      instructions_length, example("Be brief.")),
                field("previous_response_id", &This::previous_response_id,
                      "The response that the question follows: its conversation is continued, or "
                      "branched.",
                      length(1, 64)),
                field("max_output_tokens", &This::max_output_tokens,
                      "Maximum number of output tokens. -1: no limit.", TokensOrNone{2'147'483'647},
                      example(512)),
                field("temperature", &This::temperature,
                      "Sampling temperature; 0 is most deterministic.", range(0, 2), example(0.7)),
                field("top_p", &This::top_p, "Nucleus sampling: sample from this probability mass.",
                      range(0, 1), example(0.9)),
                field("text", &This::text, "The text of the answer."),
                field("metadata", &This::metadata, "Stored with the response.", metadata_size,
                      metadata_keys, metadata_values),
                field("top_logprobs", &This::top_logprobs, "Only 0 is supported.", range(0, 20)),
                field("tools", &This::tools,
                      "Functions that the model may call, at most 128: "
                      "`{\"type\":\"function\",\"name\":…,\"parameters\":…}`. A local model calls "
                      "one "
                      "if `tool_choice` demands it; by its own choice only if its `capabilities` "
                      "say so.",
                      list_of("object")),
                field(
                    "tool_choice", &This::tool_choice,
                    "`auto` (default), `none`, `required`, a function "
                    "(`{\"type\":\"function\",\"name\":…}`), or `allowed_tools`. A local model can "
                    "only write calls that are valid for the `parameters` of the function, which "
                    "must be a schema as in `text.format`."),
                field("parallel_tool_calls", &This::parallel_tool_calls,
                      "False: at most one call in an answer. A demanded call of a local model is "
                      "always one."),
                field("conversation", &This::conversation, refused),
                field("prompt", &This::prompt, refused)));
    }
};

}  // namespace parley::api
