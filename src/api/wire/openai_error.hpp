// Errors of the OpenAI-compatible routes.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

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
        using namespace fields;
        using View = OpenAiErrorView;
        return std::tuple(
            field("message", &View::message, "Description of the error, for people.",
                  example("temperature: must be from 0 to 2")),
            field("type", &View::type, "The kind of error.",
                  one_of("invalid_request_error", "requests", "server_error"),
                  example("invalid_request_error")),
            field("param", &View::param, "The wrong parameter, if there is one.",
                  example("temperature")),
            field("code", &View::code,
                  "The kind of error, for programs: the code of the problem, or `invalid_api_key`, "
                  "`model_not_found`, `context_length_exceeded`, `rate_limit_exceeded` or "
                  "`unsupported_parameter`.",
                  example("validation_failed")),
            field("run_id", &View::run_id, "The run behind a stored completion that ended early.",
                  omit_if_absent, example("run_01J9ZQ8R0000000000000000AB")));
    }
};

struct OpenAiError {
    OpenAiErrorView error;

    static constexpr fields::SchemaInfo schema_info{"OpenAiError", "The error in OpenAI's shape."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("error", &OpenAiError::error, "The error."));
    }
};

}  // namespace parley::api
