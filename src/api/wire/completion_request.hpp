// The request of POST /v1/chat/completions in OpenAI's shape. Upstream models get the request
// unchanged; the rules here apply to all other models.
#pragma once

#include "api/wire/input_image.hpp"
#include "api/wire/metadata.hpp"
#include "api/wire/response_format.hpp"
#include "api/wire/sampling.hpp"
#include "api/wire/stop_texts.hpp"
#include "api/wire/tool_call.hpp"
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

// For free JSON that is passed on: upstreams expect a list of this JSON Schema type.
struct ListOf : fields::Annotation {
    std::string_view item;

    void describe(boost::json::object& schema) const
    {
        schema["type"] = "array";
        schema["items"] = boost::json::object{{"type", item}};
    }
};
constexpr ListOf list_of(std::string_view item) { return {{}, item}; }

// A number of tokens, or -1, which many clients send for no limit.
struct TokensOrNone {
    std::int64_t max;

    void check(std::int64_t number, const fields::FieldPath& at) const;
    void describe(boost::json::object& schema) const;
};

// A text, or a list of parts of the types `text` and `image_url`.
class CompletionContent {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const;

    std::string text;
    std::vector<InputImage> images;

private:
    void add(const boost::json::value& part, const fields::FieldPath& at);
};

struct CompletionMessage {
    std::string role;
    std::optional<CompletionContent> content;
    std::optional<std::vector<ToolCallView>> tool_calls;
    std::optional<std::string> tool_call_id;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionMessage", "A message."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionMessage;
        return std::tuple(
            field("role", &This::role,
                  "The role of the author. `system` and `developer` give instructions; `tool` is "
                  "the result of a call; `function` is for upstream models.",
                  one_of("system", "developer", "user", "assistant", "tool", "function"),
                  example("user")),
            field("content", &This::content, "The content."),
            field("tool_calls", &This::tool_calls,
                  "In a message of the role `assistant`: its calls."),
            field("tool_call_id", &This::tool_call_id,
                  "In a message of the role `tool`: the call, of an earlier message, whose result "
                  "it is."));
    }
};

struct StreamOptions {
    std::optional<bool> include_usage;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionStreamOptions",
                                                    "Options of a stream."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("include_usage", &StreamOptions::include_usage,
                                "Sends one more chunk with the usage before the end."));
    }
};

// The fields that select the model and the way to answer.
struct CompletionRoute {
    std::optional<std::string> model;
    std::optional<bool> stream;
    std::optional<bool> store;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionRoute;
        return std::tuple(
            field("model", &This::model, "The model. Absent: the server's default.", length(1, 128),
                  example("scripted")),
            field("stream", &This::stream, "Streams the answer in chunks."),
            field(
                "store", &This::store,
                "Stores question and answer, as a run that continues if the client disconnects."));
    }
};

struct CompletionBody : CompletionRoute, SamplingFields {
    std::vector<CompletionMessage> messages;
    std::optional<StreamOptions> stream_options;
    std::optional<Metadata> metadata;
    std::optional<std::int64_t> max_completion_tokens;
    std::optional<std::int64_t> max_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<LogitBias> logit_bias;
    std::optional<std::int64_t> seed;
    std::optional<StopTexts> stop;
    std::optional<std::int64_t> n;
    std::optional<bool> logprobs;
    std::optional<std::int64_t> top_logprobs;
    std::optional<CompletionFormat> response_format;
    std::optional<boost::json::value> tools;
    std::optional<boost::json::value> tool_choice;
    std::optional<boost::json::value> parallel_tool_calls;
    std::optional<boost::json::value> functions;
    std::optional<boost::json::value> function_call;
    std::optional<boost::json::value> modalities;
    std::optional<boost::json::value> audio;

    static constexpr fields::SchemaInfo schema_info{"NewChatCompletion",
                                                    "A request to complete a conversation."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionBody;
        constexpr std::string_view for_others = "For upstream models.";
        return std::tuple_cat(
            CompletionRoute::fields(), SamplingFields::fields(),
            std::tuple(
                field("messages", &This::messages, "The conversation, oldest first.",
                      length(1, 10'000)),
                field("stream_options", &This::stream_options, "Options of a stream."),
                field("metadata", &This::metadata,
                      "Stored with the completion; `session_id` continues that session, and only "
                      "the last user message is added to it.",
                      metadata_with_ids_size, metadata_keys, metadata_values),
                field("max_completion_tokens", &This::max_completion_tokens,
                      "Maximum number of output tokens. -1: no limit.", TokensOrNone{2'147'483'647},
                      example(512)),
                field("max_tokens", &This::max_tokens, "Older name of `max_completion_tokens`.",
                      TokensOrNone{2'147'483'647}),
                field("temperature", &This::temperature,
                      "Sampling temperature; 0 is most deterministic.", range(0, 2), example(0.7)),
                field("top_p", &This::top_p, "Nucleus sampling: sample from this probability mass.",
                      range(0, 1), example(0.9)),
                logit_bias_field<This>(),
                field("seed", &This::seed,
                      "The same seed gives the same answer, if the model supports it.", example(7)),
                field("stop", &This::stop, "The answer stops before any of these texts."),
                field("n", &This::n, "Number of answers. More than one: upstream models only.",
                      range(1, 128)),
                field("logprobs", &This::logprobs, for_others),
                field("top_logprobs", &This::top_logprobs, for_others, range(0, 20)),
                field("response_format", &This::response_format,
                      "Format of the answer. Not together with `stop`."),
                field("tools", &This::tools,
                      "Functions that the model may call, at most 128. A local model calls one if "
                      "`tool_choice` demands it; by its own choice only if its `capabilities` say "
                      "so.",
                      list_of("object")),
                field("tool_choice", &This::tool_choice,
                      "`auto` (default), `none`, `required`, a function "
                      "(`{\"type\":\"function\",\"function\":{\"name\":…}}`), or "
                      "`allowed_tools`. A local model can only write calls that are valid for the "
                      "`parameters` of the function, which must be a schema as in "
                      "`response_format`."),
                field("parallel_tool_calls", &This::parallel_tool_calls,
                      "False: at most one call in an answer. A demanded call of a local model is "
                      "always one.",
                      json_type("boolean")),
                field("functions", &This::functions,
                      "Older form of `tools`; a local model answers with text.", list_of("object")),
                field("function_call", &This::function_call,
                      "Older form of `tool_choice`. Other than `auto` and `none`: upstream models "
                      "only."),
                field("modalities", &This::modalities,
                      "Types of output. Other than `text`: upstream models only.",
                      list_of("string")),
                field("audio", &This::audio, for_others, json_type("object"))));
    }
};

}  // namespace parley::api
