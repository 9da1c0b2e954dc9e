#include "cli/event_stream.hpp"

#include "api/target.hpp"
#include "cli/interruption.hpp"
#include "http/client/blocking.hpp"
#include "http/client/sse_reader.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/json.hpp>

#include <chrono>
#include <memory>
#include <thread>

namespace parley::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto time_before_reconnect = 500ms;
constexpr auto time_between_checks = 50ms;
constexpr std::size_t max_problem = std::size_t{64} * 1024;

enum class End { lost, stopped };

// One connection, on the client's loop.
class LogConnection : public std::enable_shared_from_this<LogConnection> {
public:
    LogConnection(http::client::Client& client, FollowedEvents& events, std::string url)
        : client_(client), events_(events), url_(std::move(url))
    {
    }

    // Fails with a message if the server refuses it.
    Task<Result<End>> read()
    {
        stream_ = client_.prepare(request());
        boost::asio::co_spawn(co_await boost::asio::this_coro::executor, watch(shared_from_this()),
                              boost::asio::detached);
        Result<End> read = End::lost;
        if (co_await stream_->start())
            read = stream_->head().status == 200 ? co_await read_events() : co_await refusal();
        is_over_ = true;
        co_return read;
    }

    bool was_accepted() const { return was_accepted_; }

private:
    http::client::ClientRequest request() const
    {
        std::string target = "/v1/api/events?after=" + api::percent_encode(events_.after);
        if (!events_.types.empty()) target += "&types=" + api::percent_encode(events_.types);
        http::client::ClientRequest made{.url = http::client::Url::parse(url_ + target).value()};
        made.fields.push_back(
            {"Authorization", "Bearer " + std::string(events_.access.token->reveal())});
        made.fields.push_back({"Accept", "text/event-stream"});
        made.deadlines.total = std::chrono::hours(24 * 365);
        return made;
    }

    Task<Result<End>> read_events()
    {
        was_accepted_ = true;
        http::client::SseReader reader;
        for (;;) {
            const auto bytes = co_await stream_->next();
            if (!bytes || bytes->empty()) co_return End::lost;
            std::vector<http::client::SseEvent> read;
            if (!reader.feed(*bytes, read))
                co_return Error{Errc::internal, "The server sent an event that is too long."};
            for (const auto& each : read)
                if (!hear(each)) co_return End::stopped;
            // Also without an event: the number after which the stream began.
            if (!reader.last_id().empty()) events_.after = reader.last_id();
        }
    }

    bool hear(const http::client::SseEvent& event)
    {
        boost::system::error_code malformed;
        const auto data = boost::json::parse(event.data, malformed);
        if (malformed || !data.is_object()) return true;
        return events_.hear(data.as_object());
    }

    // A server that is busy or shutting down may accept it later.
    Task<Result<End>> refusal()
    {
        std::string text;
        while (text.size() <= max_problem) {
            const auto bytes = co_await stream_->next();
            if (!bytes || bytes->empty()) break;
            text += *bytes;
        }
        const int status = stream_->head().status;
        if (status == 503 || status == 429) co_return End::lost;
        boost::system::error_code malformed;
        const auto problem = boost::json::parse(text, malformed);
        std::string detail = "The server answered with status " + std::to_string(status) + ".";
        if (!malformed && problem.is_object() && problem.as_object().contains("detail"))
            detail = boost::json::value_to<std::string>(problem.at("detail"));
        co_return Error{Errc::internal, detail};
    }

    static Task<> watch(std::shared_ptr<LogConnection> self)
    {
        Timer timer(co_await boost::asio::this_coro::executor);
        while (!self->is_over_) {
            if (Interruption::was_asked_for()) co_return self->stream_->abort();
            timer.expires_after(time_between_checks);
            boost::system::error_code ignored;
            co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
        }
    }

    http::client::Client& client_;
    FollowedEvents& events_;
    const std::string url_;
    std::unique_ptr<http::client::ClientStream> stream_;
    bool is_over_ = false;
    bool was_accepted_ = false;
};

// A new client for each attempt: a restarted server may have another address and certificate.
Result<End> read_once(FollowedEvents& events, bool& was_accepted)
{
    const auto place = events.access.find_server();
    if (!place) return End::lost;
    http::client::BlockingClient client({.only_certificate = place->certificate});
    return client.run([&](http::client::Client& asked) -> Task<Result<End>> {
        const auto connection = std::make_shared<LogConnection>(asked, events, place->url);
        auto end = co_await connection->read();
        was_accepted = connection->was_accepted();
        co_return end;
    });
}

}  // namespace

Result<> FollowedEvents::follow()
{
    bool was_told = false;
    bool was_ever_accepted = false;
    for (;;) {
        bool was_accepted = false;
        const auto end = read_once(*this, was_accepted);
        if (!end) return end.error();
        if (*end == End::stopped || Interruption::was_asked_for()) return {};
        was_ever_accepted |= was_accepted;
        if (!was_ever_accepted) return Error{Errc::internal, "The server cannot be reached."};
        if (was_accepted) was_told = false;
        if (!was_told) tell("The connection was lost; waiting for the server.");
        was_told = true;
        std::this_thread::sleep_for(time_before_reconnect);
    }
}

}  // namespace parley::cli
