#include "api/unstored_response.hpp"

#include "api/response_events.hpp"
#include "api/response_view.hpp"
#include "api/run_answers.hpp"
#include "base/id.hpp"
#include "chat/unstored.hpp"

#include <chrono>
#include <utility>

namespace parley::api {
namespace {

using engine::Output;

ResponseView new_response(const UnstoredQuestion& question, TimePoint now)
{
    ResponseView view{.id = new_id("resp", now),
                      .created_at = unix_seconds(now),
                      .model = question.model,
                      .store = false,
                      .metadata = question.metadata};
    add_request(question.request, question.prompt.sampling.tools, view);
    return view;
}

bool was_cancelled(const Output& output)
{
    return output.finish && output.finish->reason == StopReason::cancelled;
}

Result<ResponseAnswer> disconnect_response(const ClientWatch& watch)
{
    auto said = watch.disconnect_response();
    if (!said) return said.error();
    return ResponseAnswer{std::move(said->response)};
}

// One answer on its way to its client.
class UnstoredDelivery {
public:
    UnstoredDelivery(chat::UnstoredAnswer& answer, ResponseView created, AnswerForm form,
                     CompletionClient& client)
        : answer_(answer), view_(std::move(created)), form_(std::move(form)), client_(client)
    {
    }

    Task<Result<ResponseAnswer>> whole(const ClientWatch& watch)
    {
        for (;;) {
            auto output = co_await answer_.next();
            if (!output) co_return output.error();
            if (was_cancelled(*output)) co_return disconnect_response(watch);
            for (const std::string& delta : output->deltas) text_ += delta;
            if (!output->finish) continue;
            end(*output->finish);
            co_return answer_of(view_);
        }
    }

    // A failure before the first piece is sent as an error response.
    Task<Result<ResponseAnswer>> as_events(ClientWatch& watch)
    {
        auto output = co_await answer_.next();
        if (!output) co_return output.error();
        if (was_cancelled(*output)) co_return disconnect_response(watch);
        ResponseEvents events(view_, form_);
        const auto stream = OpenCompletion::open(client_, watch, [this] { answer_.stop(); });
        if (!co_await stream->send(events.begin())) co_return has_disconnected();
        while (output) {
            if (!co_await stream->send(events.pieces(output->deltas))) co_return has_disconnected();
            if (was_cancelled(*output)) co_return has_disconnected();
            for (const std::string& delta : output->deltas) text_ += delta;
            if (output->finish) {
                end(*output->finish);
                co_return co_await finish(*stream, events);
            }
            output = co_await answer_.next();
        }
        fail(output.error());
        co_return co_await finish(*stream, events);
    }

private:
    static ResponseAnswer has_disconnected() { return {std::move(client_disconnected().response)}; }

    Task<Result<ResponseAnswer>> finish(OpenCompletion& stream, ResponseEvents& events)
    {
        auto frames = events.end(view_);
        http::Frame last = std::move(frames.back());
        frames.pop_back();
        for (http::Frame& frame : frames)
            if (!co_await stream.send(std::move(frame))) co_return has_disconnected();
        co_await stream.finish(std::move(last));
        co_return ResponseAnswer();
    }
    void end(const engine::Finish& finish)
    {
        view_.status = finish.reason == StopReason::max_tokens ? ResponseStatus::incomplete
                                                               : ResponseStatus::completed;
        close(finish.reason, finish.usage);
    }
    void fail(const Error& error)
    {
        view_.status = ResponseStatus::failed;
        view_.error = {
            .code = error.code == Errc::overloaded ? "rate_limit_exceeded" : "server_error",
            .message = error.message};
        close(StopReason::error, {});
    }
    void close(StopReason reason, const std::optional<Usage>& usage)
    {
        view_.completed_at = unix_seconds(client_.clock.now());
        add_answer(view_, form_, text_, reason, usage);
    }

    chat::UnstoredAnswer& answer_;
    ResponseView view_;
    AnswerForm form_;
    CompletionClient& client_;
    std::string text_ = {};
};

}  // namespace

Task<Result<ResponseAnswer>> respond_unstored(chat::Runs& runs, engine::Engine& engine,
                                              UnstoredQuestion question, CompletionClient client)
{
    const TimePoint now = client.clock.now();
    ResponseView view = new_response(question, now);
    AnswerForm form{.message = new_id("msg", now),
                    .base = last_part(view.id),
                    .tools = question.prompt.sampling.tools,
                    .tool_use = engine.tool_use()};
    const auto begun = co_await chat::UnstoredAnswer::begin(
        runs, engine, std::move(question.model), owner_of(client.caller), view.id,
        std::move(question.prompt), client.caller->has_budget);
    if (!begun) co_return begun.error();
    chat::UnstoredAnswer& answer = **begun;
    const auto watch = co_await ClientWatch::begin(client, [&answer] { answer.stop(); });
    UnstoredDelivery delivery(answer, std::move(view), std::move(form), client);
    auto answered =
        client.streamed ? co_await delivery.as_events(*watch) : co_await delivery.whole(*watch);
    if (!answered && answer.has_begun()) discourage_retry(answered.error(), client.common_headers);
    co_return answered;
}

}  // namespace parley::api
