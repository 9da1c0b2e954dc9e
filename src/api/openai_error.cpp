#include "api/openai_error.hpp"

#include "api/endpoint.hpp"
#include "api/problem.hpp"
#include "fields/write.hpp"

#include <algorithm>

namespace parley::api {
namespace {

struct Told {
    int status;
    std::string_view code;
    std::string_view param = {};
};

// Status and code as in problems, except for those that OpenAI's clients know by other names.
Told told(const Error& error)
{
    const Problem& problem = problem_of(error.code);
    switch (error.code) {
        case Errc::validation_failed:
            if (!error.faults.empty() && error.faults.front().code == unsupported_parameter)
                return {400, unsupported_parameter};
            return {400, problem.code};
        case Errc::unsupported_schema:
            return {400, problem.code};
        case Errc::message_too_long:
            return {400, "context_length_exceeded", "messages"};
        case Errc::unknown_model:
            return {404, "model_not_found", "model"};
        case Errc::missing_token:
        case Errc::invalid_token:
            return {401, "invalid_api_key"};
        case Errc::rate_limited:
            return {429, "rate_limit_exceeded"};
        case Errc::budget_used_up:
            return {429, "insufficient_quota"};
        default:
            return {problem.status, problem.code};
    }
}

std::string_view type_of(int status)
{
    if (status >= 500) return "server_error";
    return status == 429 ? "requests" : "invalid_request_error";  // "requests" means: not a limit
                                                                  // of tokens.
}

bool is_number(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// "#/messages/0/content" in OpenAI's notation: messages[0].content
std::string param_of(std::string_view pointer)
{
    std::string param;
    if (!pointer.starts_with("#/")) return std::string(pointer == "#" ? "" : pointer);
    pointer.remove_prefix(2);
    while (!pointer.empty()) {
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        const std::string_view segment = pointer.substr(0, end);
        if (is_number(segment) && !param.empty())
            param.append("[").append(segment).append("]");
        else
            param.append(param.empty() ? "" : ".").append(segment);
        pointer.remove_prefix(std::min(end + 1, pointer.size()));
    }
    return param;
}

// All faults in one text: this format has no list for them.
std::string message_of(const Error& error)
{
    std::string message;
    for (const Fault& fault : error.faults) {
        const std::string param = param_of(fault.where);
        message.append(message.empty() ? "" : "; ");
        message.append(param).append(param.empty() ? "" : ": ").append(fault.detail);
    }
    // LiteLLM recognises this error by these words.
    if (error.code == Errc::invalid_token) message = "Incorrect API key provided. ";
    if (error.faults.empty()) message += detail_of(error);
    if (const auto* contact = error.extra.if_contains("contact"); contact && contact->is_string())
        message.append(" Ask for access: ").append(contact->as_string());
    return message;
}

}  // namespace

OpenAiError openai_error(const Error& error)
{
    const auto [status, code, param] = told(error);
    OpenAiError made{.error = {.message = message_of(error),
                               .type = std::string(type_of(status)),
                               .code = std::string(code)}};
    // A fault of the body as a whole has none.
    const std::string at =
        error.faults.empty() ? std::string(param) : param_of(error.faults.front().where);
    if (!at.empty()) made.error.param = at;
    const bool has_run = error.code == Errc::run_cancelled || error.code == Errc::run_interrupted;
    if (const auto* run = error.extra.if_contains("run_id"); has_run && run && run->is_string())
        made.error.run_id = std::string(run->as_string());
    return made;
}

http::Response openai_error_response(const Error& error)
{
    auto response = json_response(told(error).status, fields::write(openai_error(error)));
    add_retry_after(error, response.fields);
    return response;
}

}  // namespace parley::api
