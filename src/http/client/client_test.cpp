// The client against our own server, over plain TCP.
#include "http/client/blocking.hpp"
#include "http/client/sse_reader.hpp"
#include "http/server_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

Task<Response> stream_three_events(Exchange& exchange)
{
    Response head;
    head.fields.add("Content-Type", "text/event-stream");
    EventStream& events = exchange.stream(std::move(head));
    for (int i = 1; i <= 3; ++i) {
        const std::string text = "id: " + std::to_string(i) + "\ndata: piece\n\n";
        co_await events.send(std::make_shared<const std::string>(text));
    }
    co_return Response{};
}

// Answers with a description of the request; under /events with a stream.
Task<Response> repeat(Exchange& exchange)
{
    const RequestHead& request = exchange.request();
    if (request.path == "/events") co_return co_await stream_three_events(exchange);
    Response response;
    response.fields.add("X-Query", request.query);
    response.body = std::string(request.method) + " " + std::string(request.path) + " " +
                    (co_await exchange.body(std::size_t{1} * 1024 * 1024, {})).value();
    co_return response;
}

class ClientTest : public testing::Test {
protected:
    ClientTest() { server_.handler.on_request = repeat; }
    Url url(const std::string& target) const
    {
        return Url::parse("http://127.0.0.1:" + std::to_string(server_.port()) + target).value();
    }

    TestServer server_;
    BlockingClient client_;
};

TEST_F(ClientTest, AsksAndIsAnswered)
{
    const auto got = client_.send({.url = url("/a?b=c")});
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->status, 200);
    EXPECT_EQ(got->field("x-query"), "b=c");
    EXPECT_EQ(got->body, "GET /a ");
    const auto posted =
        client_.send({.method = "POST", .url = url("/"), .body = std::string(100'000, 'x')});
    ASSERT_TRUE(posted) << posted.error().message;
    EXPECT_EQ(posted->body.size(), 100'007u);
    const auto headed = client_.send({.method = "HEAD", .url = url("/")});
    ASSERT_TRUE(headed) << headed.error().message;
    EXPECT_EQ(headed->field("content-length"), "7");
    EXPECT_EQ(headed->body, "");
}

TEST_F(ClientTest, UsesOneConnectionForManyRequests)
{
    for (int i = 0; i < 100; ++i) EXPECT_EQ(client_.send({.url = url("/")}).value().status, 200);
    EXPECT_EQ(server_->accepted(), 1u);
}

TEST_F(ClientTest, UsesSeveralConnectionsAtOnceAndKeepsThem)
{
    client_.run([&](Client& client) -> Task<> {
        auto first = (co_await client.open({.url = url("/events")})).value();
        auto second = (co_await client.open({.url = url("/events")})).value();
        EXPECT_EQ((co_await client.send({.url = url("/")})).value().status, 200);
        while (!(co_await first->next()).value().empty()) {
        }
        while (!(co_await second->next()).value().empty()) {
        }
        EXPECT_EQ(client.idle_connections(), 3u);
    });
    EXPECT_EQ(server_->accepted(), 3u);
}

TEST_F(ClientTest, ReadsAnEventStream)
{
    const auto events = client_.run([&](Client& client) -> Task<std::vector<SseEvent>> {
        auto stream = (co_await client.open({.url = url("/events")})).value();
        EXPECT_EQ(stream->head().field("content-type"), "text/event-stream");
        SseReader reader;
        std::vector<SseEvent> all;
        while (true) {
            const auto piece = (co_await stream->next()).value();
            if (piece.empty()) co_return all;
            EXPECT_TRUE(reader.feed(piece, all));
        }
    });
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[2].id, "3");
    EXPECT_EQ(events[2].data, "piece");
}

TEST_F(ClientTest, ConvenientCallsSayWhatTheySend)
{
    const std::string base = "http://" + url("/").host_and_port();
    EXPECT_EQ(client_.get(base + "/x").value().body, "GET /x ");
    EXPECT_EQ(client_.post(base + "/x", "{}").value().body, "POST /x {}");
}

}  // namespace
}  // namespace parley::http::client
