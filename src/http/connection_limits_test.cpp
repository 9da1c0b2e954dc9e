#include "http/server_for_tests.hpp"

#include <thread>

namespace parley::http {
namespace {

using std::chrono::milliseconds;

void send_all_but_one_byte(RawClient& client, std::size_t size)
{
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) +
                "\r\n\r\n" + std::string(size - 1, 'x'));
}

// The contract and the guides name them.
TEST(ConnectionLimits, HaveTheseDefaults)
{
    using std::chrono::seconds;
    constexpr std::size_t kib = 1024;
    constexpr std::size_t mib = 1024 * kib;
    const Limits limits;
    EXPECT_EQ(limits.max_connections, 10'000U);
    EXPECT_EQ(limits.max_connections_per_address, 256U);
    EXPECT_EQ(limits.max_bodies_in_flight, 256 * mib);
    EXPECT_EQ(limits.max_bodies_per_payer, 32 * mib);
    EXPECT_EQ(limits.max_responses_in_flight, 256 * mib);
    EXPECT_EQ(limits.max_responses_per_payer, 8 * mib);
    EXPECT_EQ(limits.max_stream_backlog, 256 * kib);
    EXPECT_EQ(limits.body_grace, seconds(10));
    EXPECT_EQ(limits.write_wait, seconds(30));
    EXPECT_EQ(limits.response_wait, seconds(120));
}

TEST(ConnectionLimits, AHeadThatIsNotFinishedIsToldSo)
{
    Limits limits;
    limits.header_wait = milliseconds(1500);  // Counts from the client's first byte.
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
        EXPECT_EQ(client.read_all(400), "");  // Longer than it keeps its buffer.
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
    send_all_but_one_byte(client, 100'000);
    EXPECT_EQ(client.read_all(1000), "");
    client.send("x");
    EXPECT_EQ(status_of(client.read_until("\r\n\r\n")), 200);
}

TEST(ConnectionLimits, ABodyThatIsAheadOfItsTimeMustNotPauseForLong)
{
    Limits limits;
    limits.body_wait = milliseconds(500);
    TestServer server(limits);
    server.handler.on_request = echo;
    RawClient client(server);
    // This many bytes allow 15 seconds.
    send_all_but_one_byte(client, 1'000'000);
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(status_of(client.read_all()), 408);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(12'000));
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
    while (!client.closed) {  // Always some progress, but too slow.
        received += client.read_piece_of(50'000).size();
        std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_LT(received, 50'000'000U);
}

TEST(ConnectionLimits, AStreamMayTakeLongerThanAResponse)
{
    Limits limits;
    limits.response_wait = milliseconds(500);
    TestServer server(limits);
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        Response head;
        head.fields.add("Content-Type", "text/event-stream");
        EventStream& events = exchange.stream(std::move(head));
        Timer pause(co_await boost::asio::this_coro::executor);
        for (int i = 0; i < 15; ++i) {
            const Frame frame = std::make_shared<const std::string>("data: x\n\n");
            EXPECT_TRUE(co_await events.send(frame)) << i;
            pause.expires_after(milliseconds(100));
            co_await pause.async_wait(awaiting);
        }
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    const std::string answer = client.read_until("\r\n0\r\n\r\n");
    std::string frames;
    for (int i = 0; i < 15; ++i) frames += "9\r\ndata: x\n\n\r\n";
    EXPECT_TRUE(answer.ends_with("\r\n\r\n" + frames + "0\r\n\r\n")) << answer;
    EXPECT_FALSE(client.closed);
}

}  // namespace
}  // namespace parley::http
