#include "http/server_for_tests.hpp"

namespace parley::http {
namespace {

constexpr std::string_view get_and_close = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

std::string post(std::string_view body, std::string_view more_fields = "")
{
    return "POST / HTTP/1.1\r\nHost: a\r\n" + std::string(more_fields) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

TEST(Connection, AnswersAndClosesWhenAsked)
{
    TestServer server;
    RawClient client(server);
    client.send(get_and_close);
    const std::string answer = client.read_all();
    EXPECT_TRUE(client.closed);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\nDate: ")) << answer;
    EXPECT_NE(answer.find("Content-Length: 5\r\nConnection: close\r\n\r\nhello"), answer.npos);
}

TEST(Connection, AnswersARequestThatComesByteByByte)
{
    TestServer server;
    server.handler.on_request = echo;
    RawClient client(server);
    for (const char byte : post("the body")) client.send({&byte, 1});
    EXPECT_TRUE(client.read_until("\r\n\r\nthe body").starts_with("HTTP/1.1 200"));
}

TEST(Connection, AnswersAHundredPipelinedRequestsInOrder)
{
    TestServer server;
    server.handler.on_request = echo;
    RawClient client(server);
    std::string all;
    for (int i = 100; i < 200; ++i) all += post("<" + std::to_string(i) + ">");
    client.send(all);
    client.finish_sending();
    const std::string answers = client.read_all();
    std::size_t at = 0;
    for (int i = 100; i < 200; ++i) {
        at = answers.find("<" + std::to_string(i) + ">", at);
        ASSERT_NE(at, answers.npos) << i;
    }
    EXPECT_EQ(count_responses(answers), 100U);
}

TEST(Connection, KeepsChunkedRequestsApart)
{
    TestServer server;
    server.handler.on_request = echo;
    RawClient client(server);
    const std::string chunked =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n";
    client.send(chunked + chunked + post("two"));
    EXPECT_EQ(count_responses(client.read_until("two")), 3U);
    // The next request arrives in one piece with the end of the body.
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    client.send(head);
    client.send("3\r\nabc\r\n");
    client.send("0\r\n\r\n" + post("four"));
    EXPECT_EQ(count_responses(client.read_until("four")), 2U);
}

// More than the small block of a read buffer, in one piece with the end of a body that the server
// waits for.
TEST(Connection, TakesManyRequestsBehindTheEndOfAChunkedBody)
{
    TestServer server;
    server.handler.on_request = echo;
    for (int round = 0; round < 5; ++round) {
        RawClient client(server);
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            "Transfer-Encoding: chunked\r\n\r\n");
        EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
        std::string rest = "2\r\n{}\r\n0\r\n\r\n";
        for (int i = 0; i < 600; ++i) rest += get;
        client.send(rest + std::string(get_and_close));
        EXPECT_EQ(count_responses(client.read_all()), 602U);
        EXPECT_TRUE(client.closed);
    }
}

TEST(Connection, AnswersAClientThatHasFinishedSending)
{
    TestServer server;
    RawClient client(server);
    client.send(get);
    client.finish_sending();
    EXPECT_EQ(status_of(client.read_all()), 200);
    EXPECT_TRUE(client.closed);
}

TEST(Connection, SendsNoBodyToHead)
{
    TestServer server;
    RawClient client(server);
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const std::string answer = client.read_all();
    EXPECT_NE(answer.find("Content-Length: 5\r\n"), answer.npos);
    EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST(Connection, SendsNeitherBodyNorLengthWhereThereIsNone)
{
    TestServer server;
    server.handler.on_request = [](Exchange&) -> Task<Response> {
        co_return Response{.status = 204, .fields = {}, .body = {}};
    };
    RawClient client(server);
    client.send(get_and_close);
    EXPECT_EQ(client.read_all().find("Content-Length"), std::string::npos);
}

TEST(Connection, ReadsALargeBodyWholeAndRefusesALargerOneUnread)
{
    constexpr std::size_t limit = 300'000;
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) { return echo_within(exchange, limit); };
    const std::string body(limit, 'x');
    RawClient client(server);
    client.send(post(body, "Connection: close\r\n"));
    const std::string answer = client.read_all();
    EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4), body);

    RawClient greedy(server);
    greedy.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300001\r\n\r\n");  // Without its body.
    EXPECT_EQ(status_of(greedy.read_until("\r\n\r\n")), 413);

    RawClient chunked(server);
    chunked.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n493E1\r\n");
    EXPECT_EQ(status_of(chunked.read_until("\r\n\r\n")), 413);
}

TEST(Connection, ARefusalReachesAClientThatIsStillSending)
{
    TestServer server;
    server.handler.on_request = echo;
    RawClient client(server);
    const std::string much(4'000'000, 'x');
    client.send(post(much));  // Blocks until the server has read or refused all of it.
    const std::string answer = client.read_all();
    EXPECT_EQ(status_of(answer), 413);
    EXPECT_EQ(count_responses(answer), 1U);
}

// A body that the handler refused is itself a valid request: it must never run.
class RefusedBody : public testing::TestWithParam<std::tuple<int, std::string>> {};

TEST_P(RefusedBody, IsNeverExecuted)
{
    const int status = std::get<0>(GetParam());
    const std::string& framing = std::get<1>(GetParam());
    TestServer server;
    server.handler.on_request = [status](Exchange& exchange) -> Task<Response> {
        const bool inner = exchange.request().path == "/inner";
        co_return Response{.status = inner ? 200 : status, .fields = {}, .body = {}};
    };
    std::string body = "GET /inner HTTP/1.1\r\nHost: a\r\n\r\n";
    if (framing == "large") body += std::string(200'000, '\n');
    RawClient client(server);
    if (framing == "chunked")
        client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
    else if (framing == "expecting")
        client.send(post(body, "Expect: 100-continue\r\n"));
    else
        client.send(post(body));
    client.finish_sending();
    const std::string answer = client.read_all();
    EXPECT_EQ(status_of(answer), status);
    EXPECT_EQ(count_responses(answer), 1U) << answer;
    EXPECT_EQ(server.handler.served, 1);
}

INSTANTIATE_TEST_SUITE_P(Framings, RefusedBody,
                         testing::Combine(testing::Values(401, 413, 415, 429),
                                          testing::Values("small", "large", "chunked",
                                                          "expecting")));

TEST(Connection, StaysOpenAfterASmallRefusedBody)
{
    TestServer server;
    server.handler.on_request = [](Exchange& exchange) -> Task<Response> {
        co_return Response{
            .status = exchange.request().method == "GET" ? 200 : 429, .fields = {}, .body = {}};
    };
    RawClient client(server);
    const std::string refused = post(std::string(20'000, 'x'));
    client.send(refused.substr(0, 5000));
    EXPECT_EQ(status_of(client.read_until("\r\n\r\n")), 429);
    client.send(refused.substr(5000));
    client.send(get);
    EXPECT_EQ(status_of(client.read_until("\r\n\r\n")), 200);
}

TEST(Connection, ClosesAfterBrokenFramingWithOneAnswer)
{
    TestServer server;
    server.handler.on_request = echo;
    for (const std::string bad :
         {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
          "GET / HTTP/1.1\nHost: a\r\n\r\n", "\x16\x03\x01\x02\x00\x01",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n"}) {
        RawClient client(server);
        client.send(bad + std::string(get) + std::string(get));
        client.finish_sending();
        const std::string answer = client.read_all();
        EXPECT_EQ(status_of(answer), 400) << bad;
        EXPECT_EQ(count_responses(answer), 1U) << bad;
        EXPECT_TRUE(client.closed);
    }
}

TEST(Connection, InvitesABodyThatWaitsForIt)
{
    TestServer server;
    server.handler.on_request = echo;
    RawClient client(server);
    client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("abc");
    EXPECT_TRUE(client.read_until("abc").starts_with("HTTP/1.1 200"));
    client.send(get);
    EXPECT_EQ(status_of(client.read_until("\r\n\r\n")), 200);
}

TEST(Connection, SpeaksHttp10)
{
    TestServer server;
    RawClient once(server);
    once.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
    EXPECT_EQ(status_of(once.read_all()), 200);
    EXPECT_TRUE(once.closed);
    RawClient staying(server);
    staying.send("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_NE(staying.read_until("hello").find("Connection: keep-alive"), std::string::npos);
}

TEST(Connection, SurvivesAHandlerThatThrows)
{
    TestServer server;
    server.handler.on_request = [](Exchange&) -> Task<Response> {
        throw std::runtime_error("a bug");
        co_return Response();
    };
    RawClient client(server);
    client.send(get);
    const std::string answer = client.read_all();
    EXPECT_EQ(status_of(answer), 500);
    EXPECT_EQ(answer.find("a bug"), answer.npos);
}

TEST(Connection, SurvivesAClientThatResets)
{
    TestServer server;
    server.handler.on_request = [](Exchange&) -> Task<Response> {
        co_return Response{.status = 200, .fields = {}, .body = std::string(5'000'000, 'x')};
    };
    {
        RawClient client(server);
        client.send(get);
        EXPECT_EQ(status_of(client.read_until("x")), 200);
        client.socket().set_option(boost::asio::socket_base::linger(true, 0));
    }
    RawClient other(server);
    other.send(get_and_close);
    EXPECT_EQ(other.read_all().size() > 5'000'000, true);
}

}  // namespace
}  // namespace parley::http
