// What travels of errors on the OpenAI-compatible routes.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct OpenAiErrorView {
    std::string message;
    std::string type;
    std::optional<std::string> param = {};
    std::string code;
    std::optional<std::string> run_id = {};

    static constexpr auto fields()
    {
        using namespace wire;
        using View = OpenAiErrorView;
        return std::tuple(
            field("message", &View::message, "For people.",
                  example("temperature: must be from 0 to 2")),
            field("type", &View::type, "Which kind of error it is.",
                  one_of("invalid_request_error", "requests", "server_error"),
                  example("invalid_request_error")),
            field("param", &View::param, "What is wrong with the request, where one thing is.",
                  example("temperature")),
            field("code", &View::code,
                  "For programs: as of problems, but for `invalid_api_key`, `model_not_found`, "
                  "`context_length_exceeded`, `rate_limit_exceeded` and `unsupported_parameter`.",
                  example("validation_failed")),
            field("run_id", &View::run_id, "The run behind a stored completion that ended early.",
                  omit_if_absent, example(std::optional<std::string>())));
    }
};

struct OpenAiError {
    OpenAiErrorView error;

    static constexpr wire::Noun noun{"OpenAiError",
                                     "What went wrong, as OpenAI's clients read it."};
    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(field("error", &OpenAiError::error, "What went wrong."));
    }
};

}  // namespace parley::api
