// What travels to POST /v1/api/chat/query.
#pragma once

#include "api/wire/message.hpp"
#include "api/wire/sampling.hpp"
#include "api/wire/stop_texts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::api {

struct QueryBody : SamplingFields {
    std::optional<Content> message;
    std::optional<std::string> session_id;
    wire::Nullable<std::string> parent_message_id;
    std::optional<std::string> model;
    bool stream = false;
    bool background = false;
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> seed;
    std::optional<SomeStopTexts> stop;
    std::optional<Metadata> metadata;

    static constexpr wire::Noun noun{"Query", "A question to the assistant."};
    static constexpr auto fields()
    {
        using namespace wire;
        using This = QueryBody;
        return std::tuple_cat(
            std::tuple(
                field("message", &This::message,
                      "What you say: 1 to 131,072 bytes of text, or 1 to 16 content parts of that "
                      "size "
                      "together. Absent: the question `parent_message_id` is answered once more."),
                field("session_id", &This::session_id, "Absent: a new session is made.",
                      length(1, 64), example("ses_01J9ZQ8R0000000000000000AB")),
                field("parent_message_id", &This::parent_message_id,
                      "Absent: follows on the session's newest message; null: a new beginning; an "
                      "older "
                      "answer: a branch.",
                      length(1, 64)),
                field("model", &This::model, "Absent: the session's, or the server's default.",
                      length(1, 128), example("scripted")),
                field("stream", &This::stream, "Answers with events as they come.",
                      defaults_to(false)),
                field("background", &This::background, "Answers 202 at once.", defaults_to(false)),
                field("max_output_tokens", &This::max_output_tokens, "The answer ends there.",
                      range(1, 32'768), example(512)),
                field("temperature", &This::temperature, "0 is the most certain.", range(0, 2),
                      example(0.7)),
                field("top_p", &This::top_p, "Only the likeliest tokens of that share.",
                      above(0, 1), example(0.9)),
                field("seed", &This::seed,
                      "The same one gives the same answer, where the model can.",
                      range(0, 4'294'967'295.0), example(7)),
                field("stop", &This::stop,
                      "The answer ends before any of these: a text, or 1 to 4 of them."),
                field("metadata", &This::metadata, "Kept with the run and the question.",
                      metadata_size, metadata_keys, metadata_values)),
            SamplingFields::fields());
    }

    void check(Faults& faults) const
    {
        if (stream && background)
            faults.push_back(
                {"#/background", "not_allowed", "cannot be asked for together with stream"});
    }
};

}  // namespace parley::api
