// POST /v1/api/chat/query: sends a message to the assistant.
#include "api/api.hpp"
#include "api/idempotency.hpp"
#include "api/prefer.hpp"
#include "api/question_source.hpp"
#include "api/request_images.hpp"
#include "api/run_answers.hpp"
#include "api/sampling.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/query.hpp"
#include "engine/tool_text.hpp"

namespace parley::api {
namespace {

using ChatWriter = With<auth::Scope::chat_write>;

// Longer than any run may take: a client that sets no limit waits for the end.
constexpr std::chrono::hours no_hurry{24};

// A retry may request another form of the same answer.
Result<std::optional<store::KeyClaim>> claim_of(const http::RequestHead& head, QueryBody body,
                                                const Clock& clock)
{
    if (!head.field("idempotency-key")) return std::optional<store::KeyClaim>();
    body.stream = body.background = false;
    return key_claim(head, "query", fields::write(body), clock);
}

// Whether the model sees images is checked with the question: it may be that of the session.
void put_images(const Content& message, chat::Question& question, Faults& faults)
{
    RequestImages images(true, true);
    for (const InputImage& image : message.images)
        if (const auto taken = images.take(image, faults))
            question.images.push_back(
                {.after = image.at, .sha256 = std::string(image_in_path(*taken->url))});
    question.new_images = images.take_stored();
    question.place_of_images = images.first_place();
}

chat::Question question_of(QueryBody body, Faults& faults)
{
    chat::Question question{
        .session = std::move(body.session_id),
        .new_beginning = body.parent_message_id.is_null(),
        .model = std::move(body.model),
        .sampling = {.max_output_tokens = body.max_output_tokens,
                     .temperature = body.temperature,
                     .top_p = body.top_p,
                     .stop = body.stop ? std::move(body.stop->texts) : std::vector<std::string>()},
        .metadata = std::move(body.metadata).value_or(Metadata())};
    if (body.message) {
        put_images(*body.message, question, faults);
        question.parts = std::move(body.message->parts);
        engine::escape_question(*question.parts);
    }
    if (body.parent_message_id) question.parent = *body.parent_message_id;
    if (body.seed) question.sampling.seed = static_cast<std::uint32_t>(*body.seed);
    if (body.response_format) question.sampling.format = std::move(body.response_format->format);
    put(body, question.sampling);
    put_logit_bias(body.logit_bias, question.sampling);
    return question;
}

Task<Result<RunAnswer>> wait_and_answer(CallerRights rights, const http::RequestHead& head,
                                        chat::AcceptedQuestion asked)
{
    if (asked.run.was_running()) {
        const auto patience = preferred_wait(head);
        const auto ended =
            co_await wait_for_end(std::move(rights), asked.run, patience.value_or(no_hurry));
        if (!ended && ended.error().code == Errc::invalid_token) co_return ended.error();
        if (ended && !*ended) co_await asked.run.look_again();
        const RunView now = asked.run.view();
        if (!ended || (!has_ended(now.status) && *ended)) {
            Error error =
                ended ? Error{Errc::shutting_down, "The server is shutting down."} : ended.error();
            error.extra = {{"run_id", now.id}, {"session_id", now.session_id}};
            co_return error;
        }
        if (!*ended) {
            RunAnswer later = run_answer(202, now);
            if (patience)
                later.response.fields.add("Preference-Applied",
                                          "wait=" + std::to_string(patience->count()));
            co_return later;
        }
    }
    co_return end_answer(asked.run, asked.replayed);
}

Task<Result<RunAnswer>> query_chat(chat::Questions& questions, ChatWriter caller,
                                   Body<QueryBody> body, QuestionSource source,
                                   CommonHeaders& common_headers, Stream stream)
{
    auto key = claim_of(source.head, body, source.clock);
    if (!key) co_return key.error();
    const bool streamed = body.stream;
    const auto seen = last_seen(source.head);
    if (!seen) co_return seen.error();
    const bool in_background = body.background;
    Faults faults;
    chat::Question question = question_of(std::move(body), faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    question.key = std::move(*key);
    source.put_into(question);

    auto asked = co_await questions.ask(owner_of(caller), std::move(question));
    if (!asked) co_return asked.error();
    common_headers.add_run(asked->run.id(), asked->replayed);
    if (streamed)
        co_return co_await send_run(stream, std::move(asked->run),
                                    // Only a replay has events that the client may have seen.
                                    asked->replayed ? *seen : 0);
    if (in_background)
        co_return run_answer(asked->run.was_running() ? 202 : 200, asked->run.view());
    co_return co_await wait_and_answer(stream.rights(), source.head, std::move(*asked));
}

Task<Result<bool>> query_is_replay(Call& call)
{
    Faults faults;
    const auto body = fields::read<QueryBody>(call.body, faults);
    if (!faults.empty()) co_return false;
    const auto key = claim_of(call.exchange.request(), body, call.services.get<const Clock>());
    if (!key || !*key) co_return false;
    co_return co_await call.services.get<store::Store>().runs().is_replay(
        owner_of(SignedIn(call.caller)), **key);
}

constexpr std::string_view about_queries =
    R"(Without `session_id` a new session is created; with it, the question is added after the newest
message. `parent_message_id` changes that: an older answer starts a branch, null a new root. Without
`message`, the question `parent_message_id` is answered again.

A message can have images, as parts of type `image`, if the model has `capabilities.vision`. They are
stored with the session, and the model gets them again with later questions, the newest 32 MiB of them.
The request has at most 1 MiB: larger images can be sent with `POST /v1/chat/completions` and
`POST /v1/responses`.

The response comes when the answer is complete; with `"stream": true` it is a stream of events; with
`"background": true` or `Prefer: wait=N` it is 202, and `Location` names the run. If the client
disconnects, the run continues.

With an `Idempotency-Key` the request can be repeated safely: the same key and body give the same
run. A repeated stream continues after `Last-Event-ID`. If the run failed before its first token with
502, 503 or 504, the same request asks the question again.)";

}  // namespace

std::vector<Route> query_routes()
{
    const DocumentedResponse ended = documented_run(200, "The run has ended.");
    const DocumentedResponse accepted =
        documented_run(202,
                       "The run continues: it was requested with `background`, "
                       "or takes longer than `Prefer` allows.",
                       {"Location", "Preference-Applied"});
    return {route<query_chat>(
        "POST", "/v1/api/chat/query", "queryChat", "Send a message to the assistant",
        CountedAs{.of = limits::Class::chat, .replays = query_is_replay},
        description(about_queries), takes_fields<QueryFields>, documents_run, responds_with(ended),
        responds_with(documented_stream()), responds_with(accepted),
        may_fail(Errc::budget_used_up, Errc::invalid_idempotency_key, Errc::not_found,
                 Errc::session_busy, Errc::unknown_model, Errc::message_too_long,
                 Errc::idempotency_mismatch, Errc::conflict, Errc::unsupported_schema,
                 Errc::upstream_error, Errc::invalid_output, Errc::upstream_timeout,
                 Errc::model_unavailable))};
}

}  // namespace parley::api
