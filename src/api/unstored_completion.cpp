#include "api/unstored_completion.hpp"

#include "api/run_answers.hpp"
#include "chat/unstored.hpp"

#include <optional>
#include <utility>

namespace parley::api {
namespace {

using engine::Output;

bool is_cancelled(const Output& output)
{
    return output.finish && output.finish->reason == StopReason::cancelled;
}

Task<Result<CompletionAnswer>> answer_whole(chat::UnstoredAnswer& answer, const ClientWatch& watch,
                                            const CompletionWriter& writer)
{
    std::string text;
    for (;;) {
        auto output = co_await answer.next();
        if (!output) co_return output.error();
        if (is_cancelled(*output)) co_return watch.disconnect_response();
        for (const std::string& delta : output->deltas) text += delta;
        if (const auto& finish = output->finish)
            co_return CompletionAnswer{
                json_response(200, writer.whole(std::move(text), finish->reason, finish->usage))};
    }
}

// A failure before the first piece is sent as an error response.
Task<Result<CompletionAnswer>> answer_in_chunks(chat::UnstoredAnswer& answer, ClientWatch& watch,
                                                CompletionWriter& writer, CompletionClient& client)
{
    auto output = co_await answer.next();
    if (!output) co_return output.error();
    if (is_cancelled(*output)) co_return watch.disconnect_response();
    const auto stream = OpenCompletion::open(client, watch, [&answer] { answer.stop(); });
    while (output) {
        if (!co_await stream->send(writer.pieces(output->deltas))) co_return client_disconnected();
        if (is_cancelled(*output)) co_return client_disconnected();
        if (const auto& finish = output->finish) {
            co_await stream->finish(writer.end(finish->reason, finish->usage));
            co_return CompletionAnswer();
        }
        output = co_await answer.next();
    }
    co_await stream->finish(CompletionWriter::failure(output.error()));
    co_return CompletionAnswer();
}

}  // namespace

Task<Result<CompletionAnswer>> complete_unstored(chat::Runs& runs, engine::Engine& engine,
                                                 std::string model, engine::Prompt prompt,
                                                 CompletionClient client)
{
    const TimePoint now = client.clock.now();
    CompletionWriter writer(new_completion_id(now), now, model);
    if (client.includes_usage) writer.include_usage();
    writer.expect_calls(prompt.sampling.tools, engine.tool_use());
    const auto begun = co_await chat::UnstoredAnswer::begin(
        runs, engine, std::move(model), owner_of(client.caller), writer.id(), std::move(prompt),
        client.caller->has_budget);
    if (!begun) co_return begun.error();
    chat::UnstoredAnswer& answer = **begun;
    const auto watch = co_await ClientWatch::begin(client, [&answer] { answer.stop(); });
    auto answered = client.streamed ? co_await answer_in_chunks(answer, *watch, writer, client)
                                    : co_await answer_whole(answer, *watch, writer);
    if (!answered && answer.has_begun()) discourage_retry(answered.error(), client.common_headers);
    co_return answered;
}

}  // namespace parley::api
