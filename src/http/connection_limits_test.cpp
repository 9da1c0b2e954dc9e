#include "http/server_for_tests.hpp"

#include <future>

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
    EXPECT_FALSE(server->wait_until_empty(milliseconds(100)));
    server->stop_accepting();
    EXPECT_TRUE(server->wait_until_empty(milliseconds(10'000)));
}

TEST(ConnectionLimits, OneConnectionTooManyIsToldSo)
{
    Limits limits;
    limits.max_connections = 2;
    limits.max_refusals = 1;
    TestServer server(limits);
    RawClient first(server);
    auto second = std::make_unique<RawClient>(server);
    first.send(get);
    second->send(get);
    EXPECT_EQ(status_of(first.read_until("hello")), 200);
    EXPECT_EQ(status_of(second->read_until("hello")), 200);

    RawClient third(server);
    EXPECT_EQ(status_of(third.read_until("\r\n\r\n")), 503);
    RawClient fourth(server);  // While the third still lingers there is not even room to say so.
    EXPECT_EQ(fourth.read_all(), "");
    EXPECT_TRUE(fourth.closed);

    second.reset();
    third.finish_sending();
    third.read_all();
    // As soon as the server has noticed, there is room again.
    for (int status = 0; status != 200;) {
        RawClient fifth(server);
        fifth.send(get);
        status = status_of(fifth.read_all(200));
    }
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

TEST(ConnectionLimits, LeavingInOrder)
{
    TestServer server;
    RawClient idle(server);
    idle.send(get);
    EXPECT_EQ(status_of(idle.read_until("hello")), 200);
    server->stop_accepting();
    idle.send(get);  // Open connections are still served,
    EXPECT_EQ(status_of(idle.read_until("hello")), 200);
    server->close_idle();
    EXPECT_EQ(idle.read_all(), "");  // until the idle ones are closed.
    EXPECT_TRUE(idle.closed);
    EXPECT_TRUE(server->wait_until_empty(milliseconds(5000)));
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket late(context);
    boost::system::error_code refused;
    late.connect({boost::asio::ip::address_v4::loopback(), server.port()}, refused);
    EXPECT_EQ(refused, boost::asio::error::connection_refused);
}

TEST(ConnectionLimits, SaysWhichAddressIsTaken)
{
    TestServer first;
    Loops loops(1, system_clock());
    Server second(loops, first.handler, {.listen = first->local_endpoint()});
    const auto started = second.start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("127.0.0.1:" + std::to_string(first.port())),
              std::string::npos);
}

}  // namespace
}  // namespace parley::http
