#include "api/stored_response.hpp"

#include "api/response_stream.hpp"
#include "api/response_view.hpp"
#include "api/run_answers.hpp"

#include <chrono>
#include <utility>

namespace parley::api {
namespace {

// Longer than any run may take.
constexpr std::chrono::hours until_it_ends{24};

// A failed response is an error here, so that clients raise it; a stream and a later look say that
// it failed.
Result<ResponseAnswer> answer_of_end(const store::RunWithMessages& whole,
                                     const engine::Models& models, bool replayed,
                                     CommonHeaders& common_headers)
{
    const ResponseView view = ended_response(whole, models);
    if (whole.run.status == RunStatus::failed) {
        Error error = error_of(whole.run, replayed);
        if (!view.output.empty()) discourage_retry(error, common_headers);
        return error;
    }
    if (whole.run.status == RunStatus::interrupted) {
        common_headers.add("x-should-retry", "false");
        return Error{.code = Errc::run_interrupted,
                     .message = "The server stopped before the answer was complete.",
                     .extra = {{"run_id", whole.run.id}, {"session_id", whole.run.session}}};
    }
    return answer_of(view);
}

Task<Result<ResponseAnswer>> wait_and_respond(chat::AcceptedQuestion asked,
                                              const engine::Models& models,
                                              CompletionClient& client)
{
    if (asked.run.was_running()) {
        const auto waited = co_await wait_for_end(client.stream.rights(), asked.run, until_it_ends);
        if (!waited) co_return waited.error();
    }
    const auto whole = asked.run.whole();
    if (!has_ended(whole->run.status))
        co_return Error{Errc::shutting_down, "The server is shutting down."};
    co_return answer_of_end(*whole, models, asked.replayed, client.common_headers);
}

}  // namespace

Task<Result<ResponseAnswer>> respond_stored(chat::Questions& questions,
                                            const engine::Models& models, chat::Question question,
                                            CompletionClient client, bool in_background)
{
    auto asked = co_await questions.ask(owner_of(client.caller), std::move(question));
    if (!asked) co_return asked.error();
    client.body.shrink_to(0);
    client.common_headers.add_run(asked->run.id(), asked->replayed);
    if (client.streamed)
        co_return co_await send_response(client.stream, std::move(asked->run), models);
    if (in_background) co_return answer_of(response_now(asked->run, models));
    co_return co_await wait_and_respond(std::move(*asked), models, client);
}

}  // namespace parley::api
