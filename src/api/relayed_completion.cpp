#include "api/relayed_completion.hpp"

#include "api/openai_error.hpp"
#include "base/json.hpp"

#include <boost/asio/this_coro.hpp>

#include <memory>
#include <utility>

namespace parley::api {
namespace {

bool tells_an_error(std::string_view body)
{
    const auto parsed = json::parse(body);
    const auto* object = parsed ? parsed->if_object() : nullptr;
    return object && object->contains("error") && object->at("error").is_object();
}

// A refusal of the model's server: its own text if that has the form of OpenAI's errors.
CompletionAnswer refusal(int status, std::string body)
{
    if (tells_an_error(body)) return {json_response(status, std::move(body))};
    http::Response response =
        openai_error_response(invalid_request("The model's server does not support this request."));
    response.status = status;
    return {std::move(response)};
}

Task<Result<CompletionAnswer>> pass_on_whole(engine::RelayedAnswer& answer,
                                             const RelayedFormat& format, std::size_t max_answer)
{
    std::string body;
    for (;;) {
        const auto bytes = co_await answer.next();
        if (!bytes) co_return bytes.error();
        if (bytes->empty()) break;
        if (body.size() + bytes->size() > max_answer)
            co_return Error{Errc::upstream_error,
                            "The response of the model's server is too large."};
        body += *bytes;
    }
    if (answer.status() != 200) co_return refusal(answer.status(), std::move(body));
    if (auto checked = format.check(body); !checked) co_return checked.error();
    co_return CompletionAnswer{json_response(200, std::move(body))};
}

Task<Result<CompletionAnswer>> pass_on_chunks(engine::RelayedAnswer& answer, RelayedFormat& format,
                                              ClientWatch& watch, bool& has_disconnected,
                                              CompletionClient& client)
{
    const auto stream = OpenCompletion::open(client, watch, [&] {
        has_disconnected = true;
        answer.stop();
    });
    // One buffer for all frames: a sent frame has been copied to the kernel.
    const auto frame = std::make_shared<std::string>();
    for (;;) {
        const auto bytes = co_await answer.next();
        if (has_disconnected) co_return client_disconnected();
        if (!bytes) {
            co_await stream->finish(CompletionWriter::failure(bytes.error()));
            co_return CompletionAnswer();
        }
        if (bytes->empty()) {
            co_await stream->finish(nullptr);
            co_return CompletionAnswer();
        }
        if (const auto checked = format.check_events(*bytes); !checked) {
            co_await stream->finish(CompletionWriter::failure(checked.error()));
            co_return CompletionAnswer();
        }
        frame->assign(*bytes);
        if (!co_await stream->send(frame)) co_return client_disconnected();
    }
}

// The tokens of an answer count, however it ends.
class CountedAnswer {
public:
    CountedAnswer(chat::QueuePlace& place, const engine::RelayedAnswer& answer)
        : place_(place), answer_(answer)
    {
    }
    CountedAnswer(const CountedAnswer&) = delete;
    CountedAnswer& operator=(const CountedAnswer&) = delete;
    ~CountedAnswer()
    {
        if (const auto usage = answer_.usage()) place_.used(*usage);
    }

private:
    chat::QueuePlace& place_;
    const engine::RelayedAnswer& answer_;
};

}  // namespace

Task<Result<CompletionAnswer>> complete_relayed(engine::Relay& relay, chat::QueuePlace& place,
                                                std::string body, RelayedFormat format,
                                                std::string model, CompletionClient client)
{
    engine::RelayedRequest request{.body = std::move(body),
                                   .streamed = client.streamed,
                                   .model = std::move(model),
                                   .trace = client.trace};
    return complete_relayed(relay, place, std::move(request), std::move(format), client);
}

Task<Result<CompletionAnswer>> complete_relayed(engine::Relay& relay, chat::QueuePlace& place,
                                                engine::RelayedRequest request,
                                                RelayedFormat format, CompletionClient client)
{
    const std::size_t max_answer = request.max_answer;
    const auto answer =
        relay.prepare(co_await boost::asio::this_coro::executor, std::move(request));
    const CountedAnswer counted(place, *answer);
    bool has_disconnected = false;
    const auto watch = co_await ClientWatch::begin(client, [&] {
        has_disconnected = true;
        place.withdraw();
        answer->stop();
    });
    if (!co_await place.turn() || has_disconnected) co_return watch->disconnect_response();
    auto opened = co_await answer->open();
    if (has_disconnected) co_return watch->disconnect_response();
    client.body.shrink_to(0);  // The relay no longer needs it.
    if (opened && client.streamed && answer->status() == 200)
        co_return co_await pass_on_chunks(*answer, format, *watch, has_disconnected, client);
    auto passed = opened ? co_await pass_on_whole(*answer, format, max_answer) : opened.error();
    if (has_disconnected) co_return watch->disconnect_response();
    // An answer that is not streamed shows no progress: after a timeout the model may have worked
    // all the time, so a retry would repeat the work.
    const bool took_too_long =
        !passed && !client.streamed && passed.error().code == Errc::upstream_timeout;
    if (!passed && (answer->has_begun() || took_too_long))
        discourage_retry(passed.error(), client.common_headers);
    co_return passed;
}

}  // namespace parley::api
