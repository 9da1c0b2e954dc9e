// Sends requests to models on other servers, as the relay does, with a clock that tests control.
#pragma once

#include "base/clock.hpp"
#include "engine/relay.hpp"
#include "engine/upstream/upstream_engine.hpp"
#include "http/client/peer_for_tests.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <optional>
#include <string>
#include <vector>

namespace parley::engine::upstream {

struct Relayed {
    int status = 0;
    std::vector<std::string> pieces = {};
    std::optional<Error> error = {};

    std::optional<Errc> code() const { return error ? std::optional(error->code) : std::nullopt; }
    std::string body() const
    {
        std::string all;
        for (const std::string& piece : pieces) all += piece;
        return all;
    }
};

class AskingTest : public testing::Test {
protected:
    using Peer = http::client::ScriptedPeer;

    static constexpr const char* key = "sk-very-secret";

    // An address without a server.
    static http::client::Url nobody()
    {
        boost::asio::io_context context;
        const boost::asio::ip::tcp::acceptor closed(context,
                                                    {boost::asio::ip::address_v4::loopback(), 0});
        return http::client::Url::parse(
                   "http://127.0.0.1:" + std::to_string(closed.local_endpoint().port()) + "/")
            .value();
    }

    void open(const std::vector<http::client::Url>& urls, const UpstreamTimes& times = {})
    {
        UpstreamOptions options{
            .name = "m", .servers = {}, .run_timeout = run_timeout, .times = times};
        for (const http::client::Url& url : urls)
            options.servers.push_back({.url = url, .model = "there", .key = Secret(key)});
        engine = make_upstream_engine(clients, std::move(options));
    }

    std::future<Relayed> begin(bool streamed = false)
    {
        return boost::asio::co_spawn(loops[0].executor(), hear(streamed), boost::asio::use_future);
    }
    Relayed ask(bool streamed = false) { return begin(streamed).get(); }
    // Lets time pass until there is a response.
    Relayed ask_while_time_passes(bool streamed = false)
    {
        auto answer = begin(streamed);
        while (answer.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
            clock.advance(std::chrono::seconds(1));
        return answer.get();
    }
    // The result if a peer sends these bytes to each request, with one connection each.
    Relayed answered(const std::string& bytes, bool streamed = false)
    {
        Peer peer({Peer::answering(bytes)});
        open({peer.url()});
        return ask(streamed);
    }

    static std::string response(const std::string& head, const std::string& body)
    {
        return "HTTP/1.1 " + head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
               body;
    }
    static std::string json(const std::string& status, const std::string& body)
    {
        return response(status + "\r\nContent-Type: application/json\r\n", body);
    }
    static std::string events(const std::string& body)
    {
        return response("200 OK\r\nContent-Type: text/event-stream\r\n", body);
    }

    static constexpr std::chrono::seconds run_timeout{300};
    ManualClock clock;
    http::Loops loops{1, clock};
    http::client::Clients clients{loops};
    std::unique_ptr<Engine> engine;
    RelayedAnswer* asked = nullptr;  // To be used on the loop only.
    RelayedRequest sent{.body = R"({"model":"m","n":1})", .model = "m"};

private:
    Task<Relayed> hear(bool streamed)
    {
        Relayed heard;
        RelayedRequest request = sent;
        request.streamed = streamed;
        const auto answer = engine->relay()->prepare(loops[0].executor(), std::move(request));
        asked = answer.get();
        const auto opened = co_await answer->open();
        if (!opened) heard.error = opened.error();
        if (opened) heard.status = answer->status();
        while (opened) {
            const auto piece = co_await answer->next();
            if (!piece) heard.error = piece.error();
            if (!piece || piece->empty()) break;
            heard.pieces.emplace_back(*piece);
        }
        asked = nullptr;
        co_return heard;
    }
};

}  // namespace parley::engine::upstream
