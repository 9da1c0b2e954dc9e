// Stored responses: their state, their events, and cancellation.
#include "api/response_answer.hpp"
#include "api/response_routes.hpp"
#include "api/response_stream.hpp"
#include "api/response_view.hpp"
#include "api/run_answers.hpp"
#include "chat/runs.hpp"
#include "chat/sessions.hpp"

namespace parley::api {
namespace {

using ChatReader = With<auth::Scope::chat_read>;
using ChatWriter = With<auth::Scope::chat_write>;

// A model stops with its next token. After this time the response says that it is still being
// written.
constexpr std::chrono::seconds patience_with_stopped{2};

Task<Result<chat::RunHandle>> find_response(chat::Runs& runs, const SignedIn& caller,
                                            const ResponsePath& path)
{
    auto run = co_await runs.find(owner_of(caller), run_of_response(path.response));
    if (!run && run.error().code == Errc::not_found) co_return not_found("The response");
    co_return run;
}

Task<Result<ResponseAnswer>> get_response(chat::Runs& runs, const engine::Models& models,
                                          ChatReader caller, Path<ResponsePath> path,
                                          Query<ResponseQuery> query, CommonHeaders& common_headers,
                                          Stream stream)
{
    auto run = co_await find_response(runs, caller, path);
    if (!run) co_return run.error();
    common_headers.add_run(run->id());
    if (query.stream.value_or(false))
        co_return co_await send_response(stream, std::move(*run), models, query.starting_after);
    co_return answer_of(response_now(*run, models));
}

Task<Result<ResponseView>> cancel_response(chat::Runs& runs, const engine::Models& models,
                                           ChatWriter caller, Path<ResponsePath> path)
{
    const auto run = co_await find_response(runs, caller, path);
    if (!run) co_return run.error();
    if (const auto asked = co_await run->ask_to_cancel(); !asked) co_return asked.error();
    const auto ended = co_await run->wait_for_end(patience_with_stopped);
    if (!ended) co_return ended.error();
    co_return response_now(*run, models);
}

Task<Result<DeletedResponse>> delete_response(chat::Sessions& sessions, ChatWriter caller,
                                              Path<ResponsePath> path, Origin origin)
{
    auto removed = co_await sessions.remove_run(owner_of(caller), run_of_response(path.response),
                                                {std::move(origin.request_id)});
    if (!removed && removed.error().code == Errc::not_found) co_return not_found("The response");
    if (!removed) co_return removed.error();
    co_return DeletedResponse{.id = path.response};
}

constexpr std::string_view about_getting =
    R"(With `stream=true` it sends the events of the response, also after it has ended: the same events,
byte for byte, as the first stream, for 24 hours; later the whole text is one event. `starting_after`
resumes after the `sequence_number` of the last event that you received, also after a crash of the
server. The id of every run of yours works here, with `resp_` instead of `run_`.)";

}  // namespace

std::vector<Route> stored_response_routes()
{
    return {
        route<get_response>("GET", "/v1/responses/{response}", "getResponse",
                            "Get a response, or follow its events", lenient, openai_errors,
                            description(about_getting), sends_fields("X-Run-Id"),
                            responds_with(documented_response_stream()),
                            may_fail(Errc::events_expired)),
        route<delete_response>(
            "DELETE", "/v1/responses/{response}", "deleteResponse", "Delete a response", lenient,
            openai_errors,
            description("Deletes the question, the answer, and everything that follows "
                        "them; the session, if nothing is left of it."),
            may_fail(Errc::conflict)),
        route<cancel_response>(
            "POST", "/v1/responses/{response}/cancel", "cancelResponse", "Stop a response", lenient,
            openai_errors,
            description("Any response that is being written can be stopped. One that "
                        "has ended is not changed.")),
        response_items_route(),
    };
}

}  // namespace parley::api
