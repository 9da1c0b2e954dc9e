#include "api/completion_prompt.hpp"

#include "api/openai_error.hpp"
#include "api/results_in_order.hpp"
#include "api/sampling.hpp"
#include "api/tools_of_request.hpp"
#include "engine/question_turn.hpp"
#include "fields/add_fault.hpp"

#include <algorithm>
#include <map>

namespace parley::api {
namespace {

// Engines need a value above 0. For 0, this selects the most likely token only.
constexpr double least_top_p = 1e-6;

void note(Faults& faults, std::string where, std::string_view code, std::string detail)
{
    fields::add_fault(faults, {std::move(where), std::string(code), std::move(detail)});
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

// Builds the turns of a conversation, message by message.
class Turns {
public:
    Turns(engine::Prompt& prompt, engine::ToolUse use, RequestImages& images, Faults& faults)
        : prompt_(prompt),
          keeps_ids_(use == engine::ToolUse::passed_on),
          images_(images),
          faults_(faults)
    {
    }

    void add(CompletionMessage& message, std::size_t place)
    {
        const bool has_calls = message.tool_calls && !message.tool_calls->empty();
        if (!message.content && message.role != "assistant")
            note(faults_, place_of(place, "content"), "required", "is required");
        if (has_calls && message.role != "assistant")
            note(faults_, place_of(place, "tool_calls"), "not_allowed",
                 "only a message of the role assistant can have calls");
        std::string text = message.content ? std::move(message.content->text) : std::string();
        if (message.content && message.role != "user")
            RequestImages::refuse(message.content->images, faults_);
        if (message.role == "tool") return add_result(message, std::move(text), place);
        add_results();
        if (message.role == "user") {
            engine::Turn turn{Speaker::user, std::move(text)};
            if (message.content) add_images(message.content->images, turn);
            engine::escape_question(turn);
            prompt_.turns.push_back(std::move(turn));
        } else if (message.role == "assistant") {
            prompt_.turns.push_back(
                {Speaker::assistant, engine::text_of_calls(text, calls_of(message))});
        } else {
            if (!prompt_.instructions.empty()) prompt_.instructions += "\n\n";
            prompt_.instructions += text;
        }
    }

    void end() { add_results(); }

private:
    void add_images(const std::vector<InputImage>& given, engine::Turn& turn)
    {
        for (const InputImage& image : given)
            if (auto taken = images_.take(image, faults_)) turn.images.push_back(std::move(*taken));
    }

    std::vector<engine::ToolCall> calls_of(CompletionMessage& message)
    {
        std::vector<engine::ToolCall> calls;
        if (!message.tool_calls) return calls;
        for (ToolCallView& call : *message.tool_calls) {
            calls.push_back({.id = keeps_ids_ ? call.id : std::string(),
                             .name = std::move(call.function.name),
                             .arguments = std::move(call.function.arguments)});
            ids_.insert_or_assign(std::move(call.id), places_++);
        }
        return calls;
    }

    void add_result(CompletionMessage& message, std::string text, std::size_t place)
    {
        const std::string id = message.tool_call_id.value_or("");
        const auto call = ids_.find(id);
        if (!message.tool_call_id)
            note(faults_, place_of(place, "tool_call_id"), "required", "is required");
        else if (call == ids_.end())
            note(faults_, place_of(place, "tool_call_id"), "not_allowed",
                 "must be the id of a call in an earlier message");
        results_.add(call == ids_.end() ? places_ : call->second,
                     {.id = keeps_ids_ ? id : std::string(), .text = std::move(text)});
    }

    // Results that follow one another are one turn.
    void add_results()
    {
        if (results_.empty()) return;
        prompt_.turns.push_back({Speaker::user, engine::text_of_results(results_.take())});
    }

    engine::Prompt& prompt_;
    const bool keeps_ids_;
    RequestImages& images_;
    Faults& faults_;
    std::map<std::string, std::size_t> ids_;  // All calls so far have these ids, and places.
    std::size_t places_ = 0;
    ResultsInOrder results_;
};

}  // namespace

void check_supported(const CompletionBody& body, Faults& faults)
{
    if (body.n.value_or(1) > 1) note_unsupported(faults, "n");
    if (body.logprobs.value_or(false)) note_unsupported(faults, "logprobs");
    if (body.top_logprobs.value_or(0) > 0) note_unsupported(faults, "top_logprobs");
    const bool has_format = body.response_format && body.response_format->format;
    if (has_format && body.stop && !body.stop->texts.empty())
        note(faults, "#/stop", "not_allowed", "cannot be combined with response_format");
    // With "none" and "auto" a model may answer without a function, so both are accepted.
    if (body.function_call && !is_text(*body.function_call, "none") &&
        !is_text(*body.function_call, "auto"))
        note(faults, "#/function_call", unsupported_parameter,
             "is not supported by this model; use tools and tool_choice");
    if (body.modalities && !is_only_text(*body.modalities)) note_unsupported(faults, "modalities");
    if (body.audio) note_unsupported(faults, "audio");
    for (std::size_t i = 0; i < body.messages.size(); ++i) {
        const std::string& role = body.messages[i].role;
        if (role == "function")
            note(faults, place_of(i, "role"), unsupported_parameter,
                 "is not supported by this model; use the role tool");
    }
}

engine::ToolsRef tools_of(const boost::json::object& request, engine::ToolUse use, bool is_stored,
                          Faults& faults)
{
    auto tools = tools_of(request, engine::ToolShape::nested, use, is_stored, faults);
    const auto* stop = request.if_contains("stop");
    if (engine::demands_call(tools, use) && stop && !stop->is_null() &&
        *stop != boost::json::array())
        note(faults, "#/stop", "not_allowed", "cannot be combined with a demanded call");
    return tools;
}

engine::Prompt prompt_of(CompletionBody& body, engine::ToolUse use, RequestImages& images,
                         Faults& faults)
{
    engine::Prompt prompt{.sampling = sampling_of(body)};
    Turns turns(prompt, use, images, faults);
    for (std::size_t i = 0; i < body.messages.size(); ++i) turns.add(body.messages[i], i);
    turns.end();
    if (faults.empty() && (prompt.turns.empty() || prompt.turns.back().speaker != Speaker::user))
        note(faults, "#/messages", "not_allowed",
             "must end with a message of the role user or tool");
    return prompt;
}

engine::Sampling sampling_of(const CompletionBody& body)
{
    engine::Sampling sampling{.temperature = body.temperature};
    for (const auto& most : {body.max_completion_tokens, body.max_tokens})
        if (most.value_or(-1) != -1 && !sampling.max_output_tokens)
            sampling.max_output_tokens = most;
    put(body, sampling);
    put_logit_bias(body.logit_bias, sampling);
    if (body.top_p) sampling.top_p = std::max(*body.top_p, least_top_p);
    if (body.seed) sampling.seed = static_cast<std::uint32_t>(*body.seed);
    if (body.stop) sampling.stop = body.stop->texts;
    if (body.response_format) sampling.format = body.response_format->format;
    return sampling;
}

}  // namespace parley::api
