#include "api/response_view.hpp"

#include "api/tools_of_request.hpp"
#include "chat/history.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"

#include <chrono>
#include <utility>

namespace parley::api {
namespace {

constexpr std::string_view response_prefix = "resp_";
constexpr std::string_view run_prefix = "run_";

// The parts of a request that its response repeats, beside the instructions.
struct RequestEcho {
    bool background = false;
    std::optional<std::string> previous_response_id;
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<boost::json::value> format;
    bool parallel_tool_calls = true;
    std::optional<std::string> tool_choice;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = RequestEcho;
        return std::tuple(
            field("background", &This::background, "", defaults_to(false)),
            field("previous_response_id", &This::previous_response_id, "", omit_if_absent),
            field("max_output_tokens", &This::max_output_tokens, "", omit_if_absent),
            field("temperature", &This::temperature, "", omit_if_absent),
            field("top_p", &This::top_p, "", omit_if_absent),
            field("format", &This::format, "", omit_if_absent),
            field("parallel_tool_calls", &This::parallel_tool_calls, "", defaults_to(true)),
            field("tool_choice", &This::tool_choice, "", omit_if_absent));
    }
};

// The code is one that OpenAI's clients know; the message says more.
ResponseError error_of(const RunError& error)
{
    return {.code = error.code == "overloaded" ? "rate_limit_exceeded" : "server_error",
            .message = error.detail};
}

bool is_whole(StopReason reason)
{
    return reason == StopReason::end_turn || reason == StopReason::stop_sequence;
}

ResponseStatus status_of(const store::Run& run, StopReason reason)
{
    switch (run.status) {
        case RunStatus::queued:
            return ResponseStatus::queued;
        case RunStatus::running:
            return ResponseStatus::in_progress;
        case RunStatus::completed:
            return reason == StopReason::max_tokens ? ResponseStatus::incomplete
                                                    : ResponseStatus::completed;
        case RunStatus::cancelled:
            return ResponseStatus::cancelled;
        case RunStatus::failed:
        case RunStatus::interrupted:
            break;
    }
    return ResponseStatus::failed;
}

}  // namespace

std::int64_t unix_seconds(TimePoint at)
{
    return std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
}

std::string response_of_run(std::string_view run)
{
    return std::string(response_prefix).append(run.substr(run_prefix.size()));
}

std::string run_of_response(std::string_view response)
{
    if (!response.starts_with(response_prefix)) return {};
    return std::string(run_prefix).append(response.substr(response_prefix.size()));
}

chat::ResponseParameters response_parameters(const ResponseBody& body, std::string instructions)
{
    RequestEcho echo{.background = body.background.value_or(false),
                     .previous_response_id = body.previous_response_id,
                     .max_output_tokens = body.max_output_tokens,
                     .temperature = body.temperature,
                     .top_p = body.top_p,
                     .format = {},
                     .parallel_tool_calls = body.parallel_tool_calls.value_or(true),
                     .tool_choice = {}};
    if (body.tool_choice && body.tool_choice->is_string())
        echo.tool_choice = std::string(body.tool_choice->as_string());
    if (echo.max_output_tokens == -1) echo.max_output_tokens.reset();
    if (body.text && body.text->format) echo.format = body.text->format->to_json();
    return {.instructions = std::move(instructions), .request = fields::to_json(echo)};
}

void add_request(const chat::ResponseParameters& request, const engine::ToolsRef& tools,
                 ResponseView& view)
{
    ShownTools shown = shown_tools(tools);
    view.tools = std::move(shown.tools);
    view.tool_choice = std::move(shown.choice);
    if (!request.instructions.empty()) view.instructions = request.instructions;
    if (!request.request) return;  // Not asked through this API.
    Faults faults;
    auto echo = fields::read<RequestEcho>(*request.request, faults, fields::UnknownFields::ignored);
    view.background = echo.background;
    view.previous_response_id = std::move(echo.previous_response_id);
    view.max_output_tokens = echo.max_output_tokens;
    view.temperature = echo.temperature;
    view.top_p = echo.top_p;
    if (echo.format) view.text.format = std::move(*echo.format);
    view.parallel_tool_calls = echo.parallel_tool_calls;
    if (echo.tool_choice) view.tool_choice = boost::json::string(*echo.tool_choice);
}

ResponseView created_response(const store::RunWithMessages& whole)
{
    ResponseView view{.id = response_of_run(whole.run.id),
                      .created_at = unix_seconds(whole.run.created_at),
                      .model = whole.run.model,
                      .metadata = whole.run.metadata,
                      .session_id = whole.run.session};
    add_request(chat::read_response(whole.run.parameters), chat::read_tools(whole.run.parameters),
                view);
    return view;
}

ResponseView ended_response(const store::RunWithMessages& whole, const engine::Models& models)
{
    ResponseView view = created_response(whole);
    const StopReason reason = whole.answer
                                  ? whole.answer->stop_reason.value_or(StopReason::end_turn)
                                  : StopReason::end_turn;
    view.status = status_of(whole.run, reason);
    if (whole.run.completed_at) view.completed_at = unix_seconds(*whole.run.completed_at);
    if (whole.run.error) view.error = error_of(*whole.run.error);
    if (whole.run.status == RunStatus::interrupted)
        view.error = {.message = "The server stopped before the answer was complete."};
    add_answer(view, form_of(whole, models),
               whole.answer ? chat::text_of(whole.answer->parts) : std::string(), reason,
               whole.run.usage);
    return view;
}

ResponseView response_now(const chat::RunHandle& run, const engine::Models& models)
{
    const auto whole = run.whole();
    if (has_ended(whole->run.status)) return ended_response(*whole, models);
    ResponseView view = created_response(*whole);
    view.status = status_of(whole->run, StopReason::end_turn);
    std::string text;
    if (const auto message = run.view().message)
        for (const ContentPart& part : message->content) text += part.text.value_or("");
    view.output = items_of(form_of(*whole, models), text, false);
    if (!view.output.empty()) view.output.back().status = ItemStatus::in_progress;
    return view;
}

void add_answer(ResponseView& view, const AnswerForm& form, std::string_view text,
                StopReason reason, const std::optional<Usage>& usage)
{
    if (usage)
        view.usage = {.input_tokens = usage->input_tokens,
                      .input_tokens_details = {.cached_tokens = usage->cached_input_tokens},
                      .output_tokens = usage->output_tokens,
                      .total_tokens = usage->input_tokens + usage->output_tokens};
    if (view.status == ResponseStatus::incomplete) view.incomplete_details.emplace();
    view.output = items_of(form, text, true);
    const bool has_answer =
        view.status == ResponseStatus::completed || view.status == ResponseStatus::incomplete;
    if (view.output.empty() && has_answer) view.output.push_back(empty_message(form));
    if (!view.output.empty() && !is_whole(reason))
        view.output.back().status = ItemStatus::incomplete;
}

}  // namespace parley::api
