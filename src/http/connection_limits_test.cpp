#include "http/server_for_tests.hpp"

#include <future>
#include <thread>

namespace parley::http {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(ConnectionLimits, AHeadThatIsNotFinishedIsToldSo)
{
    Limits limits;
    limits.header_wait = milliseconds(1500);  // Not before the client has said something.
    TestServer server(limits);
    RawClient client(server);
    client.send("GET / HTTP/1.1\r\nHo");
    EXPECT_EQ(status_of(client.read_all()), 408);
    EXPECT_TRUE(client.closed);
}

TEST(ConnectionLimits, AConnectionThatSaysNothingIsClosed)
{
    Limits limits;
    limits.header_wait = milliseconds(200);
    TestServer server(limits);
    RawClient client(server);
    EXPECT_EQ(client.read_all(), "");
    EXPECT_TRUE(client.closed);
}

TEST(ConnectionLimits, ABodyThatIsNotFinishedIsToldSo)
{
    Limits limits;
    limits.body_wait = milliseconds(200);
    TestServer server(limits);
    server.handler.on_request = echo;
    for (const char* framing : {"Content-Length: 10", "Transfer-Encoding: chunked"}) {
        RawClient client(server);
        client.send("POST / HTTP/1.1\r\nHost: a\r\n" + std::string(framing) + "\r\n\r\n5\r\nab");
        EXPECT_EQ(status_of(client.read_all()), 408);
        EXPECT_TRUE(client.closed);
    }
}

TEST(ConnectionLimits, AnIdleConnectionIsClosedButNotBefore)
{
    Limits limits;
    limits.idle_wait = milliseconds(2000);
    TestServer server(limits);
    RawClient client(server);
    for (int i = 0; i < 3; ++i) {
        client.send(get);
        EXPECT_EQ(status_of(client.read_until("hello")), 200);
        EXPECT_EQ(client.read_all(400), "");  // Longer than it keeps its memory.
        EXPECT_FALSE(client.closed);
    }
    client.send(get);
    EXPECT_EQ(status_of(client.read_all()), 200);
    EXPECT_TRUE(client.closed);
}

TEST(ConnectionLimits, AClientThatDoesNotReadIsLeft)
{
    Limits limits;
    limits.write_wait = milliseconds(1500);
    TestServer server(limits);
    server.handler.on_request = [](Exchange&) -> Task<Response> {
        Response response;
        response.body.resize(50'000'000, 'x');
        co_return response;
    };
    RawClient client(server);
    client.send(get);
    client.read_until("xxx");
    EXPECT_FALSE(server->wait_until_empty(milliseconds(100)));
    server->stop_accepting();
    EXPECT_TRUE(server->wait_until_empty(milliseconds(10'000)));
}

TEST(ConnectionLimits, ABodyThatTricklesIsToldSo)
{
    Limits limits;
    limits.body_grace = milliseconds(300);
    TestServer server(limits);
    server.handler.on_request = echo;
    RawClient client(server);
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
    std::string answer;
    for (int i = 0; i < 500 && answer.empty(); ++i) {
        client.send("x");
        answer = client.read_all(10);
    }
    EXPECT_EQ(status_of(answer), 408);
}

TEST(ConnectionLimits, ABodyThatIsAheadOfItsTimeMayPause)
{
    Limits limits;
    limits.body_grace = milliseconds(300);
    TestServer server(limits);
    server.handler.on_request = echo;
    RawClient client(server);
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
                std::string(99'999, 'x'));
    EXPECT_EQ(client.read_all(1000), "");
    client.send("x");
    EXPECT_EQ(status_of(client.read_until("\r\n\r\n")), 200);
}

TEST(ConnectionLimits, AResponseMustEndInTime)
{
    Limits limits;
    limits.response_wait = milliseconds(500);
    TestServer server(limits);
    server.handler.on_request = [](Exchange&) -> Task<Response> {
        co_return Response{.status = 200, .fields = {}, .body = std::string(50'000'000, 'x')};
    };
    RawClient client(server);
    client.send(get);
    std::size_t received = 0;
    while (!client.closed) {  // Always some progress, never enough.
        received += client.read_piece_of(50'000).size();
        std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_LT(received, 50'000'000U);
}

TEST(ConnectionLimits, ResponsesThatNobodyReadsHaveALimit)
{
    Limits limits;
    limits.max_responses_per_payer = 30'000'000;
    TestServer server(limits);
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        Response response{.status = 200, .fields = {}, .body = std::string(20'000'000, 'x')};
        const Payer payer{.client = {}, .user = exchange.request().path};
        if (!exchange.reserve_response(response.body.size(), payer))
            response = {.status = 503, .fields = {}, .body = "full"};
        co_return response;
    };
    const auto ask_as = [](RawClient& client, const std::string& user) {
        client.send("GET /" + user + " HTTP/1.1\r\nHost: a\r\n\r\n");
        return status_of(client.read_until("\r\n\r\n"));
    };
    RawClient first(server);
    EXPECT_EQ(ask_as(first, "ana"), 200);
    RawClient second(server);
    EXPECT_EQ(ask_as(second, "ana"), 503);
    RawClient third(server);
    EXPECT_EQ(ask_as(third, "ben"), 200);
    first.finish_sending();
    first.read_all();  // To its end.
    for (int status = 0; status != 200;) {
        RawClient fourth(server);
        status = ask_as(fourth, "ana");
    }
}

TEST(ConnectionLimits, OnePayerDoesNotFillTheRoomForBodies)
{
    Limits limits;
    limits.max_bodies_per_payer = 100'000;
    TestServer server(limits);
    server.handler.on_request = [](Exchange& exchange) {
        const std::string_view path = exchange.request().path;
        return echo_within(exchange, 1'000'000,
                           {.client = exchange.peer().address, .user = path.substr(1)});
    };
    const auto head = [](const std::string& user) {
        return "POST /" + user + " HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n";
    };
    RawClient unfinished(server);
    unfinished.send(head("ana") + std::string(80'000, 'x'));
    while (server->body_bytes() < 80'000) std::this_thread::yield();
    RawClient other(server);  // Of the same address.
    other.send(head("ben") + std::string(90'000, 'x'));
    EXPECT_EQ(status_of(other.read_until("\r\n\r\n")), 503);
    unfinished.send(std::string(10'000, 'x'));
    EXPECT_EQ(status_of(unfinished.read_until("\r\n\r\n")), 200);
}

TEST(ConnectionLimits, AllBodiesTogetherHaveALimit)
{
    Limits limits;
    limits.max_bodies_in_flight = 100'000;
    TestServer server(limits);
    std::promise<void> holding;
    std::atomic<bool> release{false};
    server.handler.on_request = [&](Exchange& exchange) -> Task<Response> {
        const bool hold = exchange.request().path == "/hold";
        Response response = co_await echo(exchange);
        if (!hold) co_return response;
        holding.set_value();
        Timer pause(co_await boost::asio::this_coro::executor);
        while (!release) {
            pause.expires_after(milliseconds(5));
            co_await pause.async_wait(awaiting);
        }
        co_return response;
    };
    const auto post = [](const std::string& path) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" +
               std::string(60'000, 'x');
    };
    RawClient first(server);
    first.send(post("/hold"));
    holding.get_future().wait();
    RawClient second(server);
    second.send(post("/"));
    EXPECT_EQ(status_of(second.read_until("\r\n\r\n")), 503);
    release = true;
    EXPECT_EQ(status_of(first.read_until("\r\n\r\nx")), 200);
    // What an answered request held is free again once the next one is asked for.
    first.read_until(std::string(1000, 'x'));
    for (int status = 0; status != 200;) {
        RawClient third(server);
        third.send(post("/"));
        status = status_of(third.read_until("\r\n\r\n"));
    }
}

}  // namespace
}  // namespace parley::http
