#include "cli/chat_turn.hpp"

#include "base/id.hpp"
#include "http/client/blocking.hpp"
#include "http/client/sse_reader.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json.hpp>

#include <chrono>
#include <csignal>
#include <memory>

namespace parley::cli {
namespace {

using namespace std::chrono_literals;

// How long a server may be gone before we no longer wait for it.
constexpr auto patience = 60s;
constexpr auto time_between_tries = 300ms;

// The whole run stands in its first and last event, question and answer included.
constexpr std::size_t max_event = std::size_t{8} * 1024 * 1024;

// A turn on the client's loop.
class Talk : public std::enable_shared_from_this<Talk> {
public:
    Talk(http::Client& client, ChatTurn& turn, std::string url)
        : client_(client), turn_(turn), url_(std::move(url))
    {
    }

    Task<Result<boost::json::object>> go(const std::string& key)
    {
        boost::asio::basic_signal_set<Executor> interrupts(
            co_await boost::asio::this_coro::executor, SIGINT);
        loop_ = interrupts.get_executor();
        interrupts.async_wait(
            [talk = shared_from_this()](boost::system::error_code given_up, int /*signal*/) {
                if (!given_up)
                    boost::asio::co_spawn(*talk->loop_, cancel(talk), boost::asio::detached);
            });
        auto ended = co_await follow(key);
        interrupts.cancel();
        if (could_not_stop_) turn_.tell("The answer could not be stopped.");
        co_return ended;
    }

private:
    http::ClientRequest request(std::string method, const std::string& target) const
    {
        http::ClientRequest made{.method = std::move(method),
                                 .url = http::Url::parse(url_ + target).value()};
        made.fields.push_back({"Authorization", "Bearer " + std::string(turn_.token.reveal())});
        made.deadlines.total = std::chrono::hours(24);
        return made;
    }

    http::ClientRequest question(const std::string& key) const
    {
        auto made = request("POST", "/v1/api/chat/query");
        made.fields.push_back({"Content-Type", "application/json"});
        made.fields.push_back({"Idempotency-Key", key});
        boost::json::object body = turn_.body;
        body["stream"] = true;
        made.body = boost::json::serialize(body);
        return made;
    }

    http::ClientRequest rest() const
    {
        auto made = request("GET", "/v1/api/chat/runs/" + run_ + "/events");
        made.fields.push_back({"Last-Event-ID", last_});
        return made;
    }

    // Reads one stream until the last event (true), or until it breaks off (false).
    Task<Result<bool>> read(http::ClientStream& stream)
    {
        if (stream.head().status != 200) co_return co_await refusal(stream);
        if (const auto run = stream.head().field("x-run-id")) run_ = *run;
        http::SseReader reader({.line = max_event, .event = max_event});
        for (;;) {
            const auto bytes = co_await stream.next();
            if (!bytes || bytes->empty()) co_return false;
            std::vector<http::SseEvent> events;
            if (!reader.feed(*bytes, events))
                co_return Error{Errc::internal, "The server sent an event that is too long."};
            for (const auto& event : events)
                if (hear(event)) co_return true;
        }
    }

    bool hear(const http::SseEvent& event)
    {
        boost::system::error_code malformed;
        const auto data = boost::json::parse(event.data, malformed);
        if (malformed || !data.is_object()) return false;
        last_ = event.id;
        turn_.hear(data.as_object());
        if (event.event == "run.created" || !data.as_object().contains("run")) return false;
        ended_ = data.at("run").as_object();
        return true;
    }

    Task<Result<bool>> refusal(http::ClientStream& stream)
    {
        std::string text;
        for (;;) {
            const auto bytes = co_await stream.next();
            if (!bytes || bytes->empty()) break;
            text += *bytes;
        }
        boost::system::error_code malformed;
        const auto problem = boost::json::parse(text, malformed);
        const int status = stream.head().status;
        if (status == 503) co_return false;  // It starts, or shuts down: the next one answers.
        if (malformed || !problem.is_object() || !problem.as_object().contains("detail"))
            co_return Error{Errc::internal,
                            "The server answered with status " + std::to_string(status) + "."};
        co_return Error{Errc::internal, boost::json::value_to<std::string>(problem.at("detail"))};
    }

    Task<Result<boost::json::object>> follow(const std::string& key)
    {
        auto give_up_at = std::chrono::steady_clock::now() + patience;
        bool told = false;
        for (;;) {
            auto stream = co_await client_.open(run_.empty() ? question(key) : rest());
            if (stream) {
                const std::string before = last_;
                auto done = co_await read(**stream);
                if (!done) co_return done.error();
                if (*done) co_return ended_;
                if (last_ != before) give_up_at = std::chrono::steady_clock::now() + patience;
            }
            if (std::chrono::steady_clock::now() > give_up_at)
                co_return Error{Errc::internal,
                                "The server does not answer any more; the answer is kept, "
                                "`parley chat -c` goes on from it."};
            if (!told) turn_.tell("The connection was lost; waiting for the server.");
            told = true;
            co_await pause();
            // A server that was started anew may listen elsewhere.
            if (const auto place = place_of_server(turn_.paths)) url_ = place->url;
        }
    }

    Task<> pause()
    {
        http::LoopTimer timer(*loop_, time_between_tries);
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }

    // May outlast the answer, which it stops.
    static Task<> cancel(std::shared_ptr<Talk> talk)
    {
        if (talk->run_.empty()) co_return;
        const auto answered = co_await talk->client_.send(
            talk->request("POST", "/v1/api/chat/runs/" + talk->run_ + "/cancel"));
        if (!answered) talk->could_not_stop_ = true;
    }

    http::Client& client_;
    ChatTurn& turn_;
    std::string url_;
    std::string run_;         // Once it is known.
    std::string last_ = "0";  // The number of the last event.
    boost::json::object ended_;
    std::optional<Executor> loop_;
    bool could_not_stop_ = false;
};

}  // namespace

Result<ServerPlace> place_of_server(const app::DataPaths& paths)
{
    const auto address = app::read_private(paths.server_address());
    if (!address)
        return Error{Errc::not_found, "No server runs on " + paths.directory.string() +
                                          ". Start one with `parley serve`, then try again."};
    const std::size_t space = address->find(' ');
    if (space == address->npos) return ServerPlace{*address, {}};
    return ServerPlace{address->substr(0, space), address->substr(space + 1)};
}

Result<boost::json::object> ChatTurn::ask()
{
    const auto place = place_of_server(paths);
    if (!place) return place.error();
    http::BlockingClient client({.only_certificate = place->certificate});
    const std::string key = new_id("key", system_clock().now());
    return client.run([&](http::Client& asked) -> Task<Result<boost::json::object>> {
        const auto talk = std::make_shared<Talk>(asked, *this, place->url);
        co_return co_await talk->go(key);
    });
}

}  // namespace parley::cli
