// The response of POST /v1/chat/completions in OpenAI's shape: an object, or a stream of chunks.
#pragma once

#include "api/wire/metadata.hpp"
#include "api/wire/tool_call.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

enum class FinishReason { stop, length, tool_calls };

constexpr auto names_of(FinishReason)
{
    return std::array{fields::Named{FinishReason::stop, "stop"},
                      fields::Named{FinishReason::length, "length"},
                      fields::Named{FinishReason::tool_calls, "tool_calls"}};
}

struct PromptTokenDetails {
    std::int64_t cached_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{"PromptTokenDetails",
                                                    "Details of the prompt tokens."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("cached_tokens", &PromptTokenDetails::cached_tokens,
                                "Tokens from the prompt cache.", example(0)));
    }
};

struct CompletionUsage {
    std::int64_t prompt_tokens = 0;
    std::int64_t completion_tokens = 0;
    std::int64_t total_tokens = 0;
    PromptTokenDetails prompt_tokens_details;

    static constexpr fields::SchemaInfo schema_info{"CompletionUsage",
                                                    "Tokens of the request and the answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionUsage;
        return std::tuple(
            field("prompt_tokens", &This::prompt_tokens, "Input tokens.", example(12)),
            field("completion_tokens", &This::completion_tokens, "Output tokens.", example(3)),
            field("total_tokens", &This::total_tokens, "Both together.", example(15)),
            field("prompt_tokens_details", &This::prompt_tokens_details,
                  "Details of the prompt tokens."));
    }
};

struct CompletionText {
    std::string role = "assistant";
    std::optional<std::string> content;
    std::optional<std::vector<ToolCallView>> tool_calls;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionText",
                                                    "The text of the answer, or calls."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionText;
        return std::tuple(field("role", &This::role, "Always `assistant`.", one_of("assistant")),
                          field("content", &This::content,
                                "The answer; null if there are only calls.", example("Hi!")),
                          field("tool_calls", &This::tool_calls,
                                "Functions that the model calls instead of, or after, its text.",
                                omit_if_absent));
    }
};

struct CompletionChoice {
    std::int64_t index = 0;
    CompletionText message;
    FinishReason finish_reason = FinishReason::stop;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionChoice", "An answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionChoice;
        return std::tuple(field("index", &This::index, "Always 0."),
                          field("message", &This::message, "The text of the answer, or calls."),
                          field("finish_reason", &This::finish_reason,
                                "`length` if the answer reached its token limit; `tool_calls` if "
                                "it ended with calls."));
    }
};

struct Completion {
    std::string id;
    std::string object = "chat.completion";
    std::int64_t created = 0;
    std::string model;
    std::vector<CompletionChoice> choices = {};
    CompletionUsage usage;
    std::optional<Metadata> metadata = {};

    static constexpr fields::SchemaInfo schema_info{"ChatCompletion", "A chat with its answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = Completion;
        return std::tuple(
            field("id", &This::id, "Id of the answer.",
                  example("chatcmpl-01J9ZQ8R0000000000000000AB")),
            field("object", &This::object, "Always `chat.completion`.", one_of("chat.completion")),
            field("created", &This::created, "When it was created, in Unix seconds.",
                  example(1'769'851'800)),
            field("model", &This::model, "The model that answers.", example("scripted")),
            field("choices", &This::choices, "The choices; always one."),
            field("usage", &This::usage, "Token usage."),
            field("metadata", &This::metadata,
                  "Stored completions only: the metadata of the request, with `session_id`, which "
                  "continues the session, and `run_id`.",
                  omit_if_absent));
    }
};

struct ChunkDelta {
    std::optional<std::string> role;
    fields::Nullable<std::string> content;
    std::optional<std::vector<ToolCallDelta>> tool_calls;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionDelta",
                                                    "The change in a chunk."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ChunkDelta;
        return std::tuple(
            field("role", &This::role, "In the first chunk: `assistant`.", omit_if_absent,
                  example("assistant")),
            field("content", &This::content, "Text to append.", example("Hi")),
            field("tool_calls", &This::tool_calls, "Parts of calls.", omit_if_absent));
    }
};

struct ChunkChoice {
    std::int64_t index = 0;
    ChunkDelta delta;
    std::optional<FinishReason> finish_reason;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionChunkChoice",
                                                    "Part of an answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ChunkChoice;
        return std::tuple(
            field("index", &This::index, "Always 0."), field("delta", &This::delta, "The change."),
            field("finish_reason", &This::finish_reason, "Why the answer ended; null until then."));
    }
};

// One of the events of a stream; the last one is `[DONE]`.
struct CompletionChunk {
    std::string id;
    std::string object = "chat.completion.chunk";
    std::int64_t created = 0;
    std::string model;
    std::vector<ChunkChoice> choices;
    fields::Nullable<CompletionUsage> usage;
    std::optional<Metadata> metadata = {};

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionChunk",
                                                    "The data of an event of a streamed answer."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CompletionChunk;
        return std::tuple(
            field("id", &This::id, "Id of the answer, the same in all chunks.",
                  example("chatcmpl-01J9ZQ8R0000000000000000AB")),
            field("object", &This::object, "Always `chat.completion.chunk`.",
                  one_of("chat.completion.chunk")),
            field("created", &This::created, "When it was created, in Unix seconds.",
                  example(1'769'851'800)),
            field("model", &This::model, "The model that answers.", example("scripted")),
            field("choices", &This::choices, "One choice; none in the chunk with the usage."),
            field("usage", &This::usage,
                  "Only with `include_usage`: the usage in the last chunk, null in the others."),
            field("metadata", &This::metadata,
                  "Stored completions only: in the first chunk, the same as in a complete answer.",
                  omit_if_absent));
    }
};

}  // namespace parley::api
