#include "http/server_for_tests.hpp"

#include <atomic>
#include <future>

namespace parley::http {
namespace {

using std::chrono::milliseconds;

Frame frame(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

Response stream_head()
{
    Response head;
    head.fields.add("Content-Type", "text/event-stream");
    return head;
}

TEST(EventWriter, SendsEachFrameAsAChunkAndEndsProperly)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        EXPECT_TRUE(co_await events.send(frame("data: 1\n\n")));
        EXPECT_TRUE(events.offer(frame("data: 2\n\n")));
        EXPECT_TRUE(events.offer(frame("")));  // An empty chunk would end the stream.
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    const std::string answer = client.read_until("0\r\n\r\n");
    EXPECT_NE(answer.find("Transfer-Encoding: chunked\r\n"), answer.npos);
    EXPECT_TRUE(answer.ends_with("\r\n\r\n9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n"))
        << answer;
    client.send(get);  // The connection can be used again.
    EXPECT_EQ(status_of(client.read_until("0\r\n\r\n")), 200);
}

TEST(EventWriter, StreamsToHttp10UntilItCloses)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        co_await exchange.stream(stream_head()).send(frame("data: 1\n\n"));
        co_return Response();
    };
    RawClient client(server);
    client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
    const std::string answer = client.read_all();
    EXPECT_TRUE(client.closed);
    EXPECT_TRUE(answer.ends_with("Connection: close\r\n\r\ndata: 1\n\n")) << answer;
}

TEST(EventWriter, AFailureBeforeTheFirstFrameIsAPlainResponse)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        exchange.stream(stream_head());
        co_return Response{.status = 503, .fields = {}, .body = "sorry"};
    };
    RawClient client(server);
    client.send(get);
    EXPECT_EQ(status_of(client.read_until("sorry")), 503);
}

TEST(EventWriter, PingsWhileThereIsNothingToSay)
{
    Limits limits;
    limits.ping_after = milliseconds(100);
    TestServer server(limits);
    std::atomic<bool> pinged_twice = false;
    server.handler.on_request = [&pinged_twice](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        co_await events.send(frame("data: 1\n\n"));
        while (!pinged_twice) {
            Timer pause(co_await boost::asio::this_coro::executor, milliseconds(10));
            co_await pause.async_wait(awaiting);
        }
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    EXPECT_NE(client.read_until("8\r\n: ping\n\n\r\n8\r\n: ping\n\n\r\n"), "");
    pinged_twice = true;
    EXPECT_NE(client.read_until("0\r\n\r\n"), "");
}

// A client that does not read: its queue stays below the limit, then it is disconnected, and no
// other client is delayed.
TEST(EventWriter, CutsAClientThatReadsTooSlowly)
{
    Limits limits;
    limits.max_stream_backlog = std::size_t{256} * 1024;
    TestServer server(limits);
    std::promise<std::size_t> offered;
    server.handler.on_request = [&](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        std::size_t bytes = 0;
        const Frame event = frame(std::string(1000, 'x'));
        while (bytes < 100'000'000 && events.offer(event)) bytes += event->size();
        EXPECT_FALSE(co_await events.send(event));
        offered.set_value(bytes);
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    const std::size_t bytes = offered.get_future().get();
    EXPECT_GT(bytes, limits.max_stream_backlog);
    EXPECT_LT(bytes, 20'000'000U);  // The limit and the kernel's buffers.
    const std::string answer = client.read_all();
    EXPECT_TRUE(client.closed);
    // Only complete frames arrived, though not all.
    const std::string frames = answer.substr(answer.find("\r\n\r\n") + 4);
    const std::string chunk = "3e8\r\n" + std::string(1000, 'x') + "\r\n";
    EXPECT_EQ(frames.size() % chunk.size(), 0U);
    EXPECT_TRUE(frames.ends_with(chunk));
}

// If a client stops reading in the middle of a frame, the server does not wait for it.
TEST(EventWriter, LeavesAClientThatDoesNotReadOnAtAll)
{
    Limits limits;
    limits.ping_after = milliseconds(200);
    limits.write_wait = milliseconds(500);
    TestServer server(limits);
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        EXPECT_TRUE(events.offer(frame(std::string(30'000'000, 'x'))));
        events.cut();
        EXPECT_FALSE(events.offer(frame("data: 2\n\n")));
        EXPECT_EQ(events.bytes(), 30'000'000U);
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    client.read_until("xxx");
    server->stop_accepting();
    EXPECT_TRUE(server->wait_until_empty(milliseconds(10'000)));
}

TEST(EventWriter, OneFrameIsAlwaysSentWhole)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        EXPECT_TRUE(events.offer(frame(std::string(3'000'000, 'x'))));
        EXPECT_TRUE(events.offer(frame("last")));
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    EXPECT_GT(client.read_until("last\r\n0\r\n\r\n").size(), 3'000'000U);
}

TEST(EventWriter, SendingIsPacedByTheClient)
{
    TestServer server;
    std::atomic<int> sent{0};
    server.handler.on_request = [&](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        const Frame event = frame(std::string(100'000, 'x'));
        while (sent < 300 && co_await events.send(event)) ++sent;
        co_return Response();
    };
    RawClient client(server);
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    client.read_until("x");
    EXPECT_LT(sent, 300);
    EXPECT_TRUE(client.read_all().ends_with("0\r\n\r\n"));
    EXPECT_EQ(sent, 300);
}

TEST(EventWriter, NoticesThatTheClientHasGone)
{
    Limits limits;
    limits.ping_after = milliseconds(100);
    TestServer server(limits);
    std::promise<void> noticed;
    server.handler.on_request = [&](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        Timer pause(co_await boost::asio::this_coro::executor);
        while (co_await events.send(frame("data: 1\n\n"))) {
            pause.expires_after(milliseconds(20));
            co_await pause.async_wait(awaiting);
        }
        noticed.set_value();
        co_return Response();
    };
    {
        RawClient client(server);
        client.send(get);
        client.read_until("data: 1");
    }
    EXPECT_EQ(noticed.get_future().wait_for(std::chrono::seconds(5)), std::future_status::ready);
}

TEST(EventWriter, AStreamThatIsCutBeforeItBeganIsNoAnswer)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        events.cut();
        EXPECT_FALSE(co_await events.send(frame("data: 1\n\n")));
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    EXPECT_EQ(client.read_all(), "");
    EXPECT_TRUE(client.closed);
}

TEST(EventWriter, ACutStreamLacksItsEnd)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        EventStream& events = exchange.stream(stream_head());
        co_await events.send(frame("data: 1\n\n"));
        events.cut();
        EXPECT_FALSE(co_await events.send(frame("data: 2\n\n")));
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    const std::string answer = client.read_all();
    EXPECT_TRUE(client.closed);
    EXPECT_TRUE(answer.ends_with("9\r\ndata: 1\n\n\r\n")) << answer;
}

}  // namespace
}  // namespace parley::http
