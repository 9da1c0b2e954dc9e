#include "api/response_question.hpp"

#include "api/openai_error.hpp"
#include "api/response_view.hpp"
#include "api/sampling.hpp"
#include "api/stored_turns.hpp"
#include "api/wire/message.hpp"
#include "chat/history.hpp"
#include "chat/parameters.hpp"

#include <algorithm>
#include <utility>

namespace parley::api {
namespace {

// Engines need a value above 0. For 0, this selects the most likely token only.
constexpr double smallest_top_p = 1e-6;

constexpr std::chrono::seconds time_to_finish{1};

void refuse_parameter(Faults& faults, std::string where)
{
    faults.push_back({std::move(where), std::string(unsupported_parameter), "is not supported"});
}

Error not_found_at(std::string where, std::string what)
{
    Error error = not_found(std::move(what));
    error.faults.push_back({std::move(where), "not_found", "was not found"});
    return error;
}

// The question that follows a stored answer: messages of the user and results of
// calls only, since nothing can be put between them and that answer.
Result<engine::Turn> turn_below(const Conversation& said)
{
    if (said.turns.size() == 1) return said.turns.front();
    return validation_failed(
        {{"#/input", "not_allowed",
          "with previous_response_id, only messages of the user and results of calls can be "
          "added"}});
}

void check_question(const engine::Turn& turn, Faults& faults)
{
    const bool is_empty = turn.text.empty() && turn.images.empty();
    if (is_empty || turn.text.size() > max_message_bytes)
        faults.push_back({"#/input", is_empty ? "too_short" : "too_long",
                          "to be stored, the last message must have 1 to 131072 bytes"});
}

}  // namespace

void check_supported(const ResponseBody& body, Faults& faults)
{
    if (body.top_logprobs.value_or(0) > 0) refuse_parameter(faults, "#/top_logprobs");
    if (body.conversation)
        faults.push_back({"#/conversation", std::string(unsupported_parameter),
                          "is not supported; previous_response_id continues a conversation"});
    if (body.prompt) refuse_parameter(faults, "#/prompt");
    if (body.background.value_or(false) && !body.is_stored())
        faults.push_back({"#/background", "not_allowed", "needs store"});
}

engine::Sampling sampling_of(const ResponseBody& body, engine::ToolsRef tools)
{
    engine::Sampling sampling{.temperature = body.temperature};
    if (body.max_output_tokens.value_or(-1) != -1)
        sampling.max_output_tokens = body.max_output_tokens;
    if (body.top_p) sampling.top_p = std::max(*body.top_p, smallest_top_p);
    if (body.text && body.text->format) sampling.format = body.text->format->format;
    put(body, sampling);
    sampling.tools = std::move(tools);
    return sampling;
}

Task<Result<Previous>> find_previous(store::Store& store, const Owner& owner,
                                     const ResponseBody& body)
{
    constexpr auto where = "#/previous_response_id";
    if (!body.previous_response_id) co_return Previous();
    const std::string run = run_of_response(*body.previous_response_id);
    auto found = co_await store.runs().find_run(owner, run);
    if (!found && found.error().code == Errc::not_found)
        co_return not_found_at(where, "The previous response");
    if (!found) co_return found.error();
    if (has_ended(found->run.status)) co_return Previous(std::move(*found));
    co_return Error{.code = Errc::session_busy,
                    .message = "The previous response is still being written.",
                    .faults = {{where, "busy", "is still being written"}},
                    .retry_after = time_to_finish};
}

Result<chat::Question> question_of(const ResponseBody& body, engine::ToolsRef tools,
                                   Conversation said, const Previous& previous)
{
    Faults faults;
    std::string own = body.instructions.value_or("");
    chat::Question question{.model = body.model,
                            .sampling = sampling_of(body, std::move(tools)),
                            .metadata = body.metadata.value_or(Metadata())};
    if (previous) {
        auto turn = turn_below(said);
        if (!turn) return turn.error();
        check_question(*turn, faults);
        question.put(chat::content_of(std::move(*turn)));
        question.session = previous->run.session;
        question.parent = previous->run.answer;
        append_paragraph(own, said.instructions);
    } else {
        check_question(said.turns.back(), faults);
        question.put(chat::content_of(std::move(said.turns.back())));
        said.turns.pop_back();
        check_earlier(said.turns, "#/input", "previous_response_id continues a stored one", faults);
        question.earlier = std::move(said.turns);
        if (!said.instructions.empty()) question.instructions = std::move(said.instructions);
    }
    if (own.size() > instructions_length.max ||
        question.instructions.value_or("").size() > instructions_length.max)
        faults.push_back(
            {"#/input", "too_long", "to be stored, instructions must have at most 65536 bytes"});
    if (!faults.empty()) return validation_failed(std::move(faults));
    question.response = response_parameters(body, std::move(own));
    return question;
}

Task<Result<engine::Prompt>> prompt_of(store::Store& store, engine::Engine& engine,
                                       const ResponseBody& body, engine::ToolsRef tools,
                                       Conversation said, const Previous& previous)
{
    engine::Prompt prompt{.instructions = body.instructions.value_or(""),
                          .sampling = sampling_of(body, std::move(tools))};
    append_paragraph(prompt.instructions, said.instructions);
    if (!previous) {
        prompt.turns = std::move(said.turns);
        co_return prompt;
    }
    auto turn = turn_below(said);
    if (!turn) co_return turn.error();
    const auto session =
        co_await store.sessions().find_session(previous->run.owner, previous->run.session);
    if (!session) co_return session.error();
    prompt.instructions = chat::all_instructions(prompt.instructions, session->instructions);
    auto history = co_await chat::history_below(store, engine, *previous, std::move(*turn),
                                                prompt.sampling, prompt.instructions);
    if (!history) co_return history.error();
    prompt.turns = std::move(history->turns);
    co_return prompt;
}

}  // namespace parley::api
