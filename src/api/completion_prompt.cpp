#include "api/completion_prompt.hpp"

#include "api/openai_error.hpp"
#include "api/sampling.hpp"

#include <algorithm>
#include <cstdlib>

namespace parley::api {
namespace {

// Engines need a value above 0. For 0, this selects the most likely token only.
constexpr double least_top_p = 1e-6;

void note(Faults& faults, std::string where, std::string_view code, std::string detail)
{
    if (faults.size() <= max_faults)
        faults.push_back({std::move(where), std::string(code), std::move(detail)});
}

void note_unsupported(Faults& faults, std::string_view field)
{
    note(faults, "#/" + std::string(field), unsupported_parameter,
         "is not supported by this model");
}

bool is_text(const boost::json::value& value, std::string_view text)
{
    return value.is_string() && value.as_string() == text;
}

bool is_only_text(const boost::json::value& modalities)
{
    const auto* list = modalities.if_array();
    return list &&
           std::ranges::all_of(*list, [](const auto& each) { return is_text(each, "text"); });
}

std::string place_of(std::size_t message, std::string_view field)
{
    return "#/messages/" + std::to_string(message) + "/" + std::string(field);
}

}  // namespace

void check_supported(const CompletionBody& body, Faults& faults)
{
    if (body.n.value_or(1) > 1) note_unsupported(faults, "n");
    if (body.logprobs.value_or(false)) note_unsupported(faults, "logprobs");
    if (body.top_logprobs.value_or(0) > 0) note_unsupported(faults, "top_logprobs");
    const bool has_format = body.response_format && body.response_format->format;
    if (has_format && body.stop && !body.stop->texts.empty())
        note(faults, "#/stop", "not_allowed", "cannot be combined with response_format");
    // With "none" and "auto" a model may answer without a tool, so both are accepted.
    if (body.tool_choice && !is_text(*body.tool_choice, "none") &&
        !is_text(*body.tool_choice, "auto"))
        note_unsupported(faults, "tool_choice");
    if (body.function_call && !is_text(*body.function_call, "none") &&
        !is_text(*body.function_call, "auto"))
        note_unsupported(faults, "function_call");
    if (body.modalities && !is_only_text(*body.modalities)) note_unsupported(faults, "modalities");
    if (body.audio) note_unsupported(faults, "audio");
    for (std::size_t i = 0; i < body.messages.size(); ++i) {
        const std::string& role = body.messages[i].role;
        if (role == "tool" || role == "function")
            note(faults, place_of(i, "role"), unsupported_parameter,
                 "this model does not support tool messages");
    }
}

engine::Prompt prompt_of(CompletionBody& body, Faults& faults)
{
    engine::Prompt prompt{.sampling = sampling_of(body)};
    for (std::size_t i = 0; i < body.messages.size(); ++i) {
        CompletionMessage& message = body.messages[i];
        if (!message.content && message.role != "assistant")
            note(faults, place_of(i, "content"), "required", "is required");
        std::string text = message.content ? std::move(message.content->text) : std::string();
        if (message.role == "user") {
            prompt.turns.push_back({Speaker::user, std::move(text)});
        } else if (message.role == "assistant") {
            prompt.turns.push_back({Speaker::assistant, std::move(text)});
        } else {
            if (!prompt.instructions.empty()) prompt.instructions += "\n\n";
            prompt.instructions += text;
        }
    }
    if (faults.empty() && (prompt.turns.empty() || prompt.turns.back().speaker != Speaker::user))
        note(faults, "#/messages", "not_allowed", "must end with a user message");
    return prompt;
}

engine::Sampling sampling_of(const CompletionBody& body)
{
    engine::Sampling sampling{.temperature = body.temperature};
    for (const auto& most : {body.max_completion_tokens, body.max_tokens})
        if (most.value_or(-1) != -1 && !sampling.max_output_tokens)
            sampling.max_output_tokens = most;
    put(body, sampling);
    for (const auto& [token, bias] : body.logit_bias.value_or(std::map<std::string, double>()))
        sampling.logit_bias.emplace(std::strtoll(token.c_str(), nullptr, 10), bias);
    if (body.top_p) sampling.top_p = std::max(*body.top_p, least_top_p);
    if (body.seed) sampling.seed = static_cast<std::uint32_t>(*body.seed);
    if (body.stop) sampling.stop = body.stop->texts;
    if (body.response_format) sampling.format = body.response_format->format;
    return sampling;
}

}  // namespace parley::api
