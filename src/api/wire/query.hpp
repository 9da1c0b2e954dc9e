// The request of POST /v1/api/chat/query.
#pragma once

#include "api/wire/message.hpp"
#include "api/wire/response_format.hpp"
#include "api/wire/sampling.hpp"
#include "api/wire/stop_texts.hpp"
#include "fields/add_fault.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::api {

struct QueryBody : SamplingFields {
    std::optional<Content> message;
    std::optional<std::string> session_id;
    fields::Nullable<std::string> parent_message_id;
    std::optional<std::string> model;
    bool stream = false;
    bool background = false;
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<LogitBias> logit_bias;
    std::optional<std::int64_t> seed;
    std::optional<SomeStopTexts> stop;
    std::optional<ResponseFormat> response_format;
    std::optional<Metadata> metadata;

    static constexpr fields::SchemaInfo schema_info{"Query", "A question to the assistant."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = QueryBody;
        return std::tuple_cat(
            std::tuple(
                field(
                    "message", &This::message,
                    "The message: 1 to 131,072 bytes of text, or 1 to 16 content parts with texts "
                    "of that size together. Absent: the question `parent_message_id` is answered "
                    "again."),
                field("session_id", &This::session_id,
                      "The session. Absent: a new session is created.", length(1, 64),
                      example("ses_01J9ZQ8R0000000000000000AB")),
                field("parent_message_id", &This::parent_message_id,
                      "The message that the question follows. Absent: the session's newest "
                      "message. Null: none, the question begins a new root. An older answer: the "
                      "question begins a branch.",
                      length(1, 64)),
                field("model", &This::model,
                      "The model. Absent: the session's model, or the server's default.",
                      length(1, 128), example("scripted")),
                field("stream", &This::stream, "Streams the answer as events.", defaults_to(false)),
                field("background", &This::background, "Responds with 202 at once.",
                      defaults_to(false)),
                field("max_output_tokens", &This::max_output_tokens,
                      "Maximum number of output tokens.", range(1, 32'768), example(512)),
                field("temperature", &This::temperature,
                      "Sampling temperature; 0 is most deterministic.", range(0, 2), example(0.7)),
                field("top_p", &This::top_p, "Nucleus sampling: sample from this probability mass.",
                      above(0, 1), example(0.9)),
                logit_bias_field<This>(omit_if_absent),  // As for response_format, see there.
                field("seed", &This::seed,
                      "The same seed gives the same answer, if the model supports it.",
                      range(0, 4'294'967'295.0), example(7)),
                field("stop", &This::stop,
                      "The answer stops before any of these: one text, or 1 to 4 texts."),
                field(
                    "response_format", &This::response_format,
                    "The format of the answer. Absent: text. Not together with `stop`.",
                    omit_if_absent),  // So that fingerprints of requests without it stay the same.
                field("metadata", &This::metadata, "Stored with the run and the question.",
                      metadata_size, metadata_keys, metadata_values)),
            SamplingFields::fields());
    }

    void check(Faults& faults) const
    {
        // As chat/questions.cpp says it. One that was refused is given all the same.
        const bool has_message =
            message || std::ranges::any_of(faults, [](const Fault& each) {
                return each.where == "#/message" || each.where.starts_with("#/message/");
            });
        if (!has_message && !parent_message_id &&
            !fields::is_refused(faults, "#/parent_message_id"))
            faults.push_back({"#/message", "required",
                              "is required, unless parent_message_id names a question to answer "
                              "again"});
        if (stream && background)
            faults.push_back({"#/background", "not_allowed", "cannot be combined with stream"});
        if (stop && response_format && response_format->format)
            faults.push_back({"#/stop", "not_allowed", "cannot be combined with response_format"});
    }
};

}  // namespace parley::api
