// POST /v1/chat/completions: the same service with the API of OpenAI.
#include "api/api.hpp"
#include "api/completion_prompt.hpp"
#include "api/idempotency.hpp"
#include "api/import_reader.hpp"
#include "api/openai_error.hpp"
#include "api/question_source.hpp"
#include "api/relayed_completion.hpp"
#include "api/run_answers.hpp"
#include "api/sample.hpp"
#include "api/session_model.hpp"
#include "api/stored_completion.hpp"
#include "api/stored_turns.hpp"
#include "api/unstored_completion.hpp"
#include "api/wire/event_schema.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/message.hpp"
#include "api/wire/session.hpp"
#include "chat/images.hpp"
#include "fields/add_fault.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <iterator>

namespace parley::api {
namespace {

constexpr std::string_view session_key = ids_in_metadata[0];
constexpr std::string_view run_key = ids_in_metadata[1];

// A retry may request another form of the same answer.
Result<std::optional<store::KeyClaim>> claim_of(const http::RequestHead& head,
                                                const boost::json::value& body, const Clock& clock)
{
    if (!head.field("idempotency-key")) return std::optional<store::KeyClaim>();
    boost::json::object same = body.as_object();
    same.erase("stream");
    same.erase("stream_options");
    return key_claim(head, "completion", canonical(same), clock);
}

// The session that a stored completion continues.
std::optional<std::string> session_in(const boost::json::value& body)
{
    const auto* metadata = body.as_object().if_contains("metadata");
    const auto* found = metadata && metadata->is_object()
                            ? metadata->as_object().if_contains(session_key)
                            : nullptr;
    if (!found || !found->is_string()) return {};
    return std::string(found->as_string());
}

// For an existing session, only the last message is new. A new session gets all messages.
chat::Question question_of(CompletionBody body, engine::Prompt prompt, Faults& faults)
{
    chat::Question question{.model = std::move(body.model),
                            .sampling = std::move(prompt.sampling),
                            .metadata = std::move(body.metadata).value_or(Metadata())};
    question.metadata.erase(std::string(run_key));  // From an earlier answer.
    const auto session = question.metadata.find(std::string(session_key));
    const bool is_new = session == question.metadata.end();
    if (is_new) prompt.turns = in_turn(std::move(prompt.turns));
    const engine::Turn& said = prompt.turns.back();
    const bool is_empty = said.text.empty() && said.images.empty();
    if (is_empty || said.text.size() > max_message_bytes)
        faults.push_back({"#/messages", is_empty ? "too_short" : "too_long",
                          "to be stored, the last one must have 1 to 131072 bytes"});
    question.put(chat::content_of(said));
    if (!is_new) {
        question.session = std::move(session->second);
        question.metadata.erase(session);
        return question;
    }
    prompt.turns.pop_back();
    check_earlier(prompt.turns, "#/messages", "metadata.session_id continues a stored one", faults);
    question.earlier = std::move(prompt.turns);
    if (!prompt.instructions.empty()) {
        if (prompt.instructions.size() > instructions_length.max)
            faults.push_back({"#/messages", "too_long",
                              "to be stored, instructions must have at most 65536 bytes"});
        question.instructions = std::move(prompt.instructions);
    }
    return question;
}

std::size_t size_of(const engine::Prompt& prompt)
{
    std::size_t size = prompt.instructions.size();
    if (const engine::ToolsRef& tools = prompt.sampling.tools) size += 2 * tools->given.size();
    for (const engine::Turn& turn : prompt.turns) size += size_of_turn(turn);
    return size;
}

std::vector<InputImage> images_in(const CompletionBody& body)
{
    std::vector<InputImage> images;
    for (const CompletionMessage& message : body.messages)
        if (message.role == "user" && message.content)
            std::ranges::copy(message.content->images, std::back_inserter(images));
    return images;
}

// The limit of a relayed request's answers together, or 0 if there is none. Some servers also take
// numbers as texts or with a fraction, which would not be counted: these are refused.
Result<std::int64_t> most_output_tokens(const boost::json::object& body)
{
    constexpr std::int64_t most_tokens = 1'000'000'000;
    constexpr std::int64_t most_answers = 1'000'000;
    Faults faults;
    const auto number = [&](const char* name) -> std::optional<std::int64_t> {
        const auto* found = body.if_contains(name);
        if (!found || found->is_null()) return std::nullopt;
        if (found->is_int64()) return found->get_int64();
        faults.push_back({std::string("#/") + name, "wrong_type",
                          "must be a whole number: your budget is counted with it"});
        return std::nullopt;
    };
    std::int64_t each = 0;
    bool is_limited = true;
    // llama.cpp's server takes n_predict before the others.
    for (const char* name : {"max_completion_tokens", "max_tokens", "n_predict"})
        if (const auto most = number(name)) {
            is_limited = is_limited && *most > 0;
            each = std::clamp(*most, each, most_tokens);
        }
    const std::int64_t answers = std::clamp<std::int64_t>(number("n").value_or(1), 1, most_answers);
    if (!faults.empty()) return validation_failed(std::move(faults));
    return is_limited ? each * answers : 0;
}

Error without_room(Error error, const engine::Engine& engine)
{
    // Clients of OpenAI's API recognise this error by these words.
    if (error.code == Errc::message_too_long)
        error.message = "This model's maximum context length is " +
                        std::to_string(engine.context()) +
                        " tokens, and the messages together with the answer need more.";
    return error;
}

// All faults of a request whose way to answer is refused. The other fields are judged only if the
// request is not for a model on another server, which has its own rules.
Error with_all_faults(const UnreadBody<CompletionBody>& unread, const CompletionRoute& way,
                      const engine::Models& models, const Owner& owner, Faults faults)
{
    const std::string_view name =
        owner.test ? engine::scripted_name
                   : std::string_view(way.model ? *way.model : models.default_name());
    engine::Engine* engine = fields::is_refused(faults, "#/model") ? nullptr : models.find(name);
    if (engine && !engine->relay()) {
        faults.clear();
        check_supported(unread.read(faults), faults);
    }
    return validation_failed(std::move(faults));
}

Task<Result<CompletionAnswer>> create_chat_completion(chat::Questions& questions, chat::Runs& runs,
                                                      store::Store& store,
                                                      const engine::Models& models,
                                                      ImportReader& reader, CompletionClient client,
                                                      UnreadBody<CompletionBody> unread,
                                                      QuestionSource source)
{
    const Owner owner = owner_of(client.caller);
    Faults faults;
    const auto way =
        fields::read<CompletionRoute>(unread.json, faults, fields::UnknownFields::ignored);
    if (!faults.empty()) co_return with_all_faults(unread, way, models, owner, std::move(faults));
    client.streamed = way.stream.value_or(false);
    const bool is_stored = way.store.value_or(false);
    auto model = co_await model_for(questions, store, owner, way.model,
                                    is_stored ? session_in(unread.json) : std::nullopt);
    if (!model) co_return model.error();
    engine::Engine& engine = *models.find(*model);
    if (engine::Relay* relay = engine.relay(); relay && !is_stored) {
        RelayedFormat format(unread.json);
        std::optional<std::int64_t> reserved;
        if (client.caller->has_budget) {
            const auto most = most_output_tokens(unread.json.as_object());
            if (!most) co_return most.error();
            reserved = *most;
        }
        unread.json = nullptr;
        const auto place = co_await chat::QueuePlace::take(
            runs, owner, *model, new_completion_id(client.clock.now()), reserved);
        if (!place) co_return place.error();
        co_return co_await complete_relayed(*relay, **place, std::move(unread.text),
                                            std::move(format), std::move(*model), client);
    }

    unread.text = {};
    auto body = unread.read(faults);
    check_supported(body, faults);
    RequestImages images(engine.capabilities().vision, is_stored);
    co_await images.decode(reader.thread, images_in(body));
    auto prompt = prompt_of(body, engine.tool_use(), images, faults);
    prompt.sampling.tools = tools_of(unread.json.as_object(), engine.tool_use(), is_stored, faults);
    prompt.trace = source.trace;
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    client.includes_usage =
        body.stream_options && body.stream_options->include_usage.value_or(false);
    if (!is_stored) {
        body = {};
        unread.json = nullptr;
        client.body.shrink_to(size_of(prompt));
        auto answer =
            co_await complete_unstored(runs, engine, std::move(*model), std::move(prompt), client);
        if (!answer) co_return without_room(answer.error(), engine);
        co_return answer;
    }
    auto key = co_await reader.read(
        source.head, [&] { return claim_of(source.head, unread.json, source.clock); });
    if (!key) co_return key.error();
    unread.json = nullptr;
    chat::Question question = question_of(std::move(body), std::move(prompt), faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    question.new_images = images.take_stored();
    question.place_of_images = images.first_place();
    question.key = std::move(*key);
    source.put_into(question);
    auto answer = co_await complete_stored(questions, models, std::move(question), client);
    if (!answer) co_return without_room(answer.error(), engine);
    co_return answer;
}

Task<Result<bool>> completion_is_replay(Call& call)
{
    Faults faults;
    const auto way =
        fields::read<CompletionRoute>(call.body, faults, fields::UnknownFields::ignored);
    if (!faults.empty() || !way.store.value_or(false)) co_return false;
    const http::RequestHead& head = call.exchange.request();
    const auto key = co_await call.services.get<ImportReader>().read(
        head, [&] { return claim_of(head, call.body, call.services.get<const Clock>()); });
    if (!key) co_return false;
    const std::optional<store::KeyClaim>& claim = *key;
    if (!claim) co_return false;
    co_return co_await call.services.get<store::Store>().runs().is_replay(
        owner_of(SignedIn(call.caller)), *claim);
}

std::string example_of_stream()
{
    const auto chunk = sample_of(fields::schema<CompletionChunk>(fields::Direction::response),
                                 fields::Direction::response);
    return "data: " + boost::json::serialize(chunk) + "\n\ndata: [DONE]\n\n";
}

}  // namespace

std::vector<Route> completion_routes()
{
    return {route<create_chat_completion>(
        "POST", "/v1/chat/completions", "createChatCompletion", "Complete a chat", lenient,
        openai_errors, large_body,
        CountedAs{.of = limits::Class::chat, .replays = completion_is_replay},
        description(
            "For OpenAI's clients. Nothing is stored, and a client that disconnects cancels its "
            "answer, unless `store` is true. A stored completion is a run like any other: "
            "`Idempotency-Key` works, and `metadata.session_id` continues a session."),
        takes_fields<IdempotencyFields>, documents_run,
        responds_with({.meaning = "With `stream`: chunks as events, ending in `data: [DONE]`.",
                       .media_type = "text/event-stream",
                       .schema = event_stream_schema(
                           fields::schema<CompletionChunk>(fields::Direction::response)),
                       .example = example_of_stream()}),
        may_fail(Errc::budget_used_up, Errc::invalid_idempotency_key, Errc::unknown_model,
                 Errc::not_found, Errc::message_too_long, Errc::session_busy,
                 Errc::idempotency_mismatch, Errc::conflict, Errc::run_cancelled,
                 Errc::run_interrupted, Errc::unsupported_schema, Errc::upstream_error,
                 Errc::invalid_output, Errc::upstream_timeout, Errc::model_unavailable))};
}

}  // namespace parley::api
