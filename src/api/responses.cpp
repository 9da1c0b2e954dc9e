// POST /v1/responses: the same service with the newer API of OpenAI.
#include "api/api.hpp"
#include "api/idempotency.hpp"
#include "api/import_reader.hpp"
#include "api/question_source.hpp"
#include "api/response_question.hpp"
#include "api/response_routes.hpp"
#include "api/response_view.hpp"
#include "api/run_answers.hpp"
#include "api/sample.hpp"
#include "api/session_model.hpp"
#include "api/stored_items.hpp"
#include "api/stored_response.hpp"
#include "api/stored_turns.hpp"
#include "api/tools_of_request.hpp"
#include "api/unstored_response.hpp"
#include "api/wire/event_schema.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/response_event_schema.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace parley::api {
namespace {

// A retry may request another form of the same answer.
Result<std::optional<store::KeyClaim>> response_claim(const http::RequestHead& head,
                                                      const boost::json::value& body,
                                                      const Clock& clock)
{
    if (!head.field("idempotency-key")) return std::optional<store::KeyClaim>();
    boost::json::object same = body.as_object();
    for (const char* form : {"stream", "stream_options", "background"}) same.erase(form);
    return key_claim(head, "response", canonical(same), clock);
}

std::size_t bytes_of_prompt(const engine::Prompt& prompt)
{
    std::size_t size = prompt.instructions.size();
    if (const engine::ToolsRef& tools = prompt.sampling.tools) size += 2 * tools->given.size();
    for (const engine::Turn& turn : prompt.turns) size += size_of_turn(turn);
    return size;
}

std::vector<InputImage> images_in(const ResponseInput& input)
{
    std::vector<InputImage> images;
    for (const InputItem& item : input.items)
        if (item.kind == InputItem::Kind::user)
            std::ranges::copy(item.images, std::back_inserter(images));
    return images;
}

Error input_too_long(Error error, const engine::Engine& engine)
{
    // Clients of OpenAI's API recognise this error by these words.
    if (error.code == Errc::message_too_long)
        error.faults = {{"#/input", "too_long",
                         "This model's maximum context length is " +
                             std::to_string(engine.context()) +
                             " tokens, and the input together with the answer needs more."}};
    return error;
}

Task<Result<ResponseAnswer>> create_response(chat::Questions& questions, chat::Runs& runs,
                                             store::Store& store, const engine::Models& models,
                                             ImportReader& reader, CompletionClient client,
                                             UnreadBody<ResponseBody> unread, QuestionSource source)
{
    const Owner owner = owner_of(client.caller);
    Faults faults;
    unread.text = {};
    ResponseBody body = unread.read(faults);
    check_supported(body, faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    client.streamed = body.stream.value_or(false);
    Result<std::optional<store::KeyClaim>> key = std::optional<store::KeyClaim>();
    if (body.is_stored())
        key = co_await reader.read(
            source.head, [&] { return response_claim(source.head, unread.json, source.clock); });
    if (!key) co_return key.error();

    auto previous = co_await find_previous(store, owner, body);
    if (!previous) co_return previous.error();
    std::optional<std::string> session;
    if (*previous) session = (*previous)->run.session;
    auto model = co_await model_for(questions, store, owner, body.model, std::move(session));
    if (!model) co_return model.error();
    engine::Engine& engine = *models.find(*model);
    const engine::ToolsRef tools = tools_of(unread.json.as_object(), engine::ToolShape::flat,
                                            engine.tool_use(), body.is_stored(), faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    unread.json = nullptr;
    RequestImages images(engine.capabilities().vision, body.is_stored());
    co_await images.decode(reader.thread, images_in(body.input));
    auto said = co_await conversation_of(StoredItems(store, models, owner), models,
                                         std::exchange(body.input, {}), engine.tool_use(),
                                         *previous, images);
    if (!said) co_return said.error();
    if (body.is_stored()) {
        auto question = question_of(body, tools, std::move(*said), *previous);
        if (!question) co_return question.error();
        question->new_images = images.take_stored();
        question->place_of_images = images.first_place();
        question->key = std::move(*key);
        if (*previous) question->model = std::move(*model);  // Its tools were read for this one.
        source.put_into(*question);
        auto answer = co_await respond_stored(questions, models, std::move(*question), client,
                                              body.background.value_or(false));
        if (!answer) co_return input_too_long(answer.error(), engine);
        co_return answer;
    }
    auto prompt = co_await prompt_of(store, engine, body, tools, std::move(*said), *previous);
    if (!prompt) co_return prompt.error();
    prompt->trace = source.trace;
    client.body.shrink_to(bytes_of_prompt(*prompt));
    auto answer = co_await respond_unstored(
        runs, engine,
        {.model = std::move(*model),
         .prompt = std::move(*prompt),
         .request = response_parameters(body, body.instructions.value_or("")),
         .metadata = body.metadata.value_or(Metadata())},
        client);
    if (!answer) co_return input_too_long(answer.error(), engine);
    co_return answer;
}

Task<Result<bool>> response_is_replay(Call& call)
{
    Faults faults;
    const auto way = fields::read<ResponseRoute>(call.body, faults, fields::UnknownFields::ignored);
    if (!faults.empty() || !way.is_stored()) co_return false;
    const http::RequestHead& head = call.exchange.request();
    const auto key = co_await call.services.get<ImportReader>().read(
        head, [&] { return response_claim(head, call.body, call.services.get<const Clock>()); });
    if (!key || !*key) co_return false;
    co_return co_await call.services.get<store::Store>().runs().is_replay(
        owner_of(SignedIn(call.caller)), **key);
}

// A stream with a short answer.
std::string example_of_events()
{
    std::string stream;
    std::int64_t number = 0;
    const auto schema = response_event_schema();
    for (const auto& about : schema.at("oneOf").as_array()) {
        auto event = sample_of(about.as_object(), fields::Direction::response).as_object();
        const std::string type(event.at("type").as_string());
        event["sequence_number"] = number++;
        stream.append("event: ").append(type).append("\ndata: ");
        stream.append(boost::json::serialize(event)).append("\n\n");
        if (type == "response.completed") break;
    }
    return stream;
}

}  // namespace

DocumentedResponse documented_response_stream()
{
    return {.meaning =
                "With `stream`: events, the last of them `response.completed`, "
                "`response.incomplete` or `response.failed`.",
            .media_type = "text/event-stream",
            .schema = event_stream_schema(response_event_schema()),
            .example = example_of_events()};
}

std::vector<Route> response_routes()
{
    std::vector<Route> rows{route<create_response>(
        "POST", "/v1/responses", "createResponse", "Create a response", lenient, openai_errors,
        large_body, CountedAs{.of = limits::Class::chat, .replays = response_is_replay},
        description(
            "For OpenAI's clients. The response is a run like any other, in a session of yours, "
            "unless `store` is false; it continues if the client disconnects. "
            "`previous_response_id` continues its conversation. `Idempotency-Key` works for "
            "stored responses."),
        takes_fields<IdempotencyFields>, documents_run, responds_with(documented_response_stream()),
        may_fail(Errc::budget_used_up, Errc::invalid_idempotency_key, Errc::unknown_model,
                 Errc::not_found, Errc::message_too_long, Errc::session_busy,
                 Errc::idempotency_mismatch, Errc::conflict, Errc::run_interrupted,
                 Errc::unsupported_schema, Errc::upstream_error, Errc::invalid_output,
                 Errc::upstream_timeout, Errc::model_unavailable))};
    for (Route& row : stored_response_routes()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace parley::api
