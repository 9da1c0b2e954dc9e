#include "cli/chat_turn.hpp"

#include "base/id.hpp"
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

// How long to wait for a server that does not respond.
constexpr auto patience = 60s;
constexpr auto time_between_tries = 300ms;
constexpr auto time_between_looks = 50ms;

// The first and the last event contain the whole run, with question and answer.
constexpr std::size_t max_event = std::size_t{8} * 1024 * 1024;

// A problem is short.
constexpr std::size_t max_refusal = std::size_t{64} * 1024;

// The state of the turn; survives lost connections.
struct TurnProgress {
    std::string key = new_id("key", system_clock().now());
    std::string run = {};      // Empty until it is known.
    std::string last = "0";    // The number of the last event.
    std::string trouble = {};  // The reason for the current interruption.
    boost::json::object ended = {};
};

// One connection of a turn, on the client's loop.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(http::client::Client& client, ChatTurn& turn, TurnProgress& progress,
               std::string url)
        : client_(client), turn_(turn), progress_(progress), url_(std::move(url))
    {
    }

    // True at the last event, false if the connection was lost before.
    Task<Result<bool>> read()
    {
        stream_ = client_.prepare(progress_.run.empty() ? question() : rest());
        boost::asio::co_spawn(co_await boost::asio::this_coro::executor, watch(shared_from_this()),
                              boost::asio::detached);
        Result<bool> read = false;
        if (co_await stream_->start())
            read = co_await read_stream(*stream_);
        else
            progress_.trouble = "The connection was lost; waiting for the server.";
        is_over_ = true;
        co_return read;
    }

private:
    http::client::ClientRequest request(std::string method, const std::string& target) const
    {
        http::client::ClientRequest made{.method = std::move(method),
                                         .url = http::client::Url::parse(url_ + target).value()};
        made.fields.push_back({"Authorization", "Bearer " + std::string(turn_.token.reveal())});
        made.deadlines.total = std::chrono::hours(24);
        return made;
    }

    http::client::ClientRequest question() const
    {
        auto made = request("POST", "/v1/api/chat/query");
        made.fields.push_back({"Content-Type", "application/json"});
        made.fields.push_back({"Idempotency-Key", progress_.key});
        boost::json::object body = turn_.body;
        body["stream"] = true;
        made.body = boost::json::serialize(body);
        return made;
    }

    http::client::ClientRequest rest() const
    {
        auto made = request("GET", "/v1/api/chat/runs/" + progress_.run + "/events");
        made.fields.push_back({"Last-Event-ID", progress_.last});
        return made;
    }

    Task<Result<bool>> read_stream(http::client::ClientStream& stream)
    {
        if (stream.head().status != 200) co_return co_await refusal(stream);
        if (const auto run = stream.head().field("x-run-id")) progress_.run = *run;
        progress_.trouble = "The connection was lost; waiting for the server.";
        http::client::SseReader reader({.line = max_event, .event = max_event});
        for (;;) {
            const auto bytes = co_await stream.next();
            if (!bytes || bytes->empty()) co_return false;
            std::vector<http::client::SseEvent> events;
            if (!reader.feed(*bytes, events))
                co_return Error{Errc::internal, "The server sent an event that is too long."};
            for (const auto& event : events) {
                auto is_last = hear(event);
                if (!is_last || *is_last) co_return is_last;
            }
        }
    }

    Result<bool> hear(const http::client::SseEvent& event)
    {
        boost::system::error_code malformed;
        const auto data = boost::json::parse(event.data, malformed);
        if (malformed || !data.is_object()) return false;
        progress_.last = event.id;
        if (!turn_.hear(data.as_object()))
            return Error{Errc::internal, "The output could not be written."};
        if (event.event == "run.created" || !data.as_object().contains("run")) return false;
        progress_.ended = data.at("run").as_object();
        return true;
    }

    Task<Result<bool>> refusal(http::client::ClientStream& stream)
    {
        std::string text;
        for (;;) {
            const auto bytes = co_await stream.next();
            if (!bytes || bytes->empty()) break;
            text += *bytes;
            if (text.size() > max_refusal) break;
        }
        boost::system::error_code malformed;
        const auto problem = boost::json::parse(text, malformed);
        const int status = stream.head().status;
        std::string detail = "The server answered with status " + std::to_string(status) + ".";
        if (!malformed && problem.is_object() && problem.as_object().contains("detail"))
            detail = boost::json::value_to<std::string>(problem.at("detail"));
        if (status != 503) co_return Error{Errc::internal, detail};
        progress_.trouble = detail + " Trying again.";  // It is busy or shutting down.
        co_return false;
    }

    static Task<> cancel(std::shared_ptr<Connection> self)
    {
        static_cast<void>(co_await self->client_.send(
            self->request("POST", "/v1/api/chat/runs/" + self->progress_.run + "/cancel")));
    }

    // On an interruption, tells the server to stop; the stream then ends by itself. A second
    // interruption does not wait for that.
    static Task<> watch(std::shared_ptr<Connection> self)
    {
        const auto executor = co_await boost::asio::this_coro::executor;
        Timer timer(executor);
        bool has_cancelled = false;
        while (!self->is_over_) {
            if (Interruption::was_repeated()) co_return self->stream_->abort();
            if (Interruption::was_asked_for() && !has_cancelled && !self->progress_.run.empty()) {
                has_cancelled = true;
                boost::asio::co_spawn(executor, cancel(self), boost::asio::detached);
            }
            timer.expires_after(time_between_looks);
            boost::system::error_code ignored;
            co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
        }
    }

    http::client::Client& client_;
    ChatTurn& turn_;
    TurnProgress& progress_;
    std::string url_;
    std::unique_ptr<http::client::ClientStream> stream_;
    bool is_over_ = false;
};

// A new client for each attempt: a restarted server may have another address and certificate.
Result<bool> read_once(ChatTurn& turn, TurnProgress& progress)
{
    const auto place = turn.find_server();
    if (!place) {
        progress.trouble = "The connection was lost; waiting for the server.";
        return false;
    }
    http::client::BlockingClient client({.only_certificate = place->certificate});
    return client.run([&](http::client::Client& asked) -> Task<Result<bool>> {
        const auto connection = std::make_shared<Connection>(asked, turn, progress, place->url);
        co_return co_await connection->read();
    });
}

}  // namespace

Result<ServerPlace> place_of_server(const app::DataPaths& paths)
{
    // Checks the lock: a killed server leaves its address behind.
    const auto holder = app::holder_of(paths);
    if (!holder) return holder.error();
    const auto address = app::read_private(paths.server_address());
    if (!*holder || !address)
        return Error{Errc::not_found, "No server runs on " + paths.directory.string() +
                                          ". Start one with `parley serve`, then try again."};
    const std::size_t space = address->find(' ');
    if (space == address->npos) return ServerPlace{*address, {}};
    return ServerPlace{address->substr(0, space), address->substr(space + 1)};
}

Result<boost::json::object> ChatTurn::ask()
{
    TurnProgress progress;
    std::string told;
    auto give_up_at = std::chrono::steady_clock::now() + patience;
    for (;;) {
        const std::string before = progress.last;
        const auto done = read_once(*this, progress);
        if (!done) return done.error();
        if (*done) return std::move(progress.ended);
        if (progress.last != before) give_up_at = std::chrono::steady_clock::now() + patience;
        if (Interruption::was_asked_for()) return Error{Errc::internal, "Stopped."};
        if (std::chrono::steady_clock::now() > give_up_at)
            return Error{Errc::internal,
                         "The server no longer answers. The text so far is stored; `parley chat "
                         "-c` continues the session."};
        if (progress.trouble != told) tell(told = progress.trouble);
        std::this_thread::sleep_for(time_between_tries);
    }
}

}  // namespace parley::cli
