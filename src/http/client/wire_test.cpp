// The client against a peer that sends what a real server would not.
#include "http/client/blocking.hpp"
#include "http/client/peer_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

using std::chrono::milliseconds;

const std::string ok = "HTTP/1.1 200 OK\r\n";

class ClientWireTest : public testing::Test {
protected:
    // Sends a GET to a peer that follows `script`.
    ClientResult<ClientResponse> get(ScriptedPeer::Script script, ClientDeadlines deadlines = {})
    {
        ScriptedPeer peer({std::move(script)});
        return client_.send({.url = peer.url(), .deadlines = deadlines, .max_body = 1000});
    }
    ClientResult<ClientResponse> answer(std::string bytes)
    {
        return get(ScriptedPeer::answering(std::move(bytes)));
    }
    std::size_t idle_connections()
    {
        return client_.run(
            [](Client& client) -> Task<std::size_t> { co_return client.idle_connections(); });
    }

    BlockingClient client_;
};

TEST_F(ClientWireTest, SendsAPlainRequest)
{
    std::string heard;
    ScriptedPeer peer({[&](ScriptedConnection& client) {
        heard = client.hear();
        client.say("HTTP/1.1 204 No Content\r\n\r\n");
    }});
    const auto response = client_.send(
        {.method = "POST", .url = peer.url("/a?b=c"), .fields = {{"X-A", "1"}}, .body = "hello"});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 204);
    EXPECT_EQ(heard, "POST /a?b=c HTTP/1.1\r\nHost: " + peer.host_and_port() +
                         "\r\nX-A: 1\r\nUser-Agent: parley\r\nContent-Length: 5\r\n\r\nhello");
}

TEST_F(ClientWireTest, RefusesToSendWhatWouldNotArriveAsItWasMeant)
{
    ScriptedPeer peer({});
    const auto kind_of = [&](ClientRequest request) {
        request.deadlines.first_byte = milliseconds(200);
        const auto response = client_.send(std::move(request));
        return response ? std::optional<ClientFailure>() : response.error().kind;
    };
    for (const ClientField& field : std::vector<ClientField>{{"X", "a\r\nY: b"},
                                                             {"X", "a\nb"},
                                                             {"X", "a\r"},
                                                             {"X\r\nY", "b"},
                                                             {"X:", "b"},
                                                             {"X ", "b"},
                                                             {"", "b"},
                                                             {"X", std::string("a\0b", 3)},
                                                             {"X", " a"},
                                                             {"Host", "evil"},
                                                             {"content-length", "1"},
                                                             {"Transfer-Encoding", "chunked"},
                                                             {"Connection", "close"}})
        EXPECT_EQ(kind_of({.url = peer.url(), .fields = {field}}), ClientFailure::unsendable)
            << field.name;
    for (const char* method : {"", "GET /x", "G\r\n", "CONNECT"})
        EXPECT_EQ(kind_of({.method = method, .url = peer.url()}), ClientFailure::unsendable)
            << method;
    EXPECT_EQ(client_.get("http://a/ b").error().kind, ClientFailure::unsendable);
    EXPECT_EQ(peer.connections(), 0u);
}

TEST_F(ClientWireTest, ReadsAnAnswerBehindInterimOnes)
{
    const auto response =
        answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok +
               "Content-Length: 2\r\n\r\nhi");
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, "hi");
    EXPECT_FALSE(response->field("link"));
}

TEST_F(ClientWireTest, ReadsABodyThatEndsWithTheConnection)
{
    const auto response = answer("HTTP/1.0 200 OK\r\n\r\nall of it");
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, "all of it");
    EXPECT_EQ(idle_connections(), 0u);
}

TEST_F(ClientWireTest, ReadsChunksAndDropsTrailers)
{
    const auto response =
        answer(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n");
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, "abcde");
    EXPECT_FALSE(response->field("x-t"));
    EXPECT_EQ(idle_connections(), 1u);
}

TEST_F(ClientWireTest, DoesNotFollowRedirects)
{
    const auto response =
        answer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 302);
}

TEST_F(ClientWireTest, RefusesAnswersThatAreMalformed)
{
    for (const std::string& bytes :
         {std::string("220 mail.example ESMTP\r\n"), std::string(100, '\0'),
          ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          ok + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\n"}) {
        const auto response = answer(bytes);
        ASSERT_FALSE(response) << bytes;
        EXPECT_EQ(response.error().kind, ClientFailure::malformed) << bytes;
        EXPECT_FALSE(response.error().before_first_byte);
        EXPECT_EQ(idle_connections(), 0u);
    }
}

TEST_F(ClientWireTest, RefusesAnswersThatAreTooLarge)
{
    for (const std::string& bytes :
         {ok + "X: " + std::string(20'000, 'x'), ok + "Content-Length: 1001\r\n\r\n",
          ok + "\r\n" + std::string(1001, 'x'), ok + "Transfer-Encoding: chunked\r\n\r\n3E9\r\n",
          ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + std::string(40'000, 'x')}) {
        const auto response = answer(bytes);
        ASSERT_FALSE(response) << bytes.substr(0, 60);
        EXPECT_EQ(response.error().kind, ClientFailure::too_large) << bytes.substr(0, 60);
        EXPECT_EQ(idle_connections(), 0u);
    }
}

TEST_F(ClientWireTest, TellsWhetherAnythingCameBeforeTheConnectionEnded)
{
    const auto nothing = answer("");
    EXPECT_EQ(nothing.error().kind, ClientFailure::closed);
    EXPECT_TRUE(nothing.error().before_first_byte);
    for (const std::string& bytes :
         {std::string("HTTP/1.1 20"), ok + "Content-Length: 5\r\n\r\nhel",
          ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"}) {
        const auto cut = answer(bytes);
        EXPECT_EQ(cut.error().kind, ClientFailure::closed) << bytes;
        EXPECT_FALSE(cut.error().before_first_byte);
    }
    const auto reset = get([](ScriptedConnection& client) {
        client.hear();
        client.say(ok + "\r\nhalf of a body that ends with the connection");
        client.reset();
    });
    EXPECT_EQ(reset.error().kind, ClientFailure::closed);
}

TEST_F(ClientWireTest, GivesUpOnAPeerThatDoesNotAnswer)
{
    const auto response = get(
        [](ScriptedConnection& client) {
            client.hear();
            client.client_left();
        },
        {.first_byte = milliseconds(200)});
    EXPECT_EQ(response.error().kind, ClientFailure::timeout);
    EXPECT_TRUE(response.error().before_first_byte);
}

TEST_F(ClientWireTest, GivesUpOnAPeerThatGoesSilent)
{
    for (const std::string& bytes :
         {std::string("HTTP/1.1 2"), ok + "Content-Length: 5\r\n\r\nhel"}) {
        const auto response = get(
            [&](ScriptedConnection& client) {
                client.hear();
                client.say(bytes);
                client.client_left();
            },
            {.silence = milliseconds(200)});
        EXPECT_EQ(response.error().kind, ClientFailure::timeout) << bytes;
        EXPECT_FALSE(response.error().before_first_byte);
    }
}

TEST_F(ClientWireTest, GivesUpOnAPeerThatNeverComesToAnEnd)
{
    const auto response = get(
        [](ScriptedConnection& client) {
            client.hear();
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            client.client_left();
        },
        {.total = milliseconds(1000)});
    EXPECT_EQ(response.error().kind, ClientFailure::timeout);
    EXPECT_NE(response.error().message.find("did not finish"), std::string::npos);
}

TEST_F(ClientWireTest, GivesUpOnAPeerThatDoesNotTakeTheRequest)
{
    Signal over;
    ScriptedPeer peer({[&](ScriptedConnection&) { over.wait(); }});
    const auto response = client_.send({.method = "POST",
                                        .url = peer.url(),
                                        .body = std::string(std::size_t{32} * 1024 * 1024, 'x'),
                                        .deadlines = {.silence = milliseconds(200)}});
    over.give();
    EXPECT_EQ(response.error().kind, ClientFailure::timeout);
    EXPECT_NE(response.error().message.find("did not accept"), std::string::npos);
}

TEST_F(ClientWireTest, ReadsTheRefusalOfARequestThatWasNotTakenWhole)
{
    const auto refusing = [](ScriptedConnection& client) {
        client.say("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
        client.close();  // With the body unread, so the client is reset while it sends.
    };
    ScriptedPeer peer({refusing});
    const auto response = client_.send({.method = "POST",
                                        .url = peer.url(),
                                        .body = std::string(std::size_t{32} * 1024 * 1024, 'x')});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 413);
    EXPECT_EQ(response->body, "no");
    EXPECT_EQ(idle_connections(), 0u);
}

TEST_F(ClientWireTest, SaysWhereNobodyListens)
{
    std::string url;
    {
        ScriptedPeer peer({});
        url = "http://" + peer.host_and_port() + "/?key=hunter2";
    }
    const auto response = client_.get(url);
    EXPECT_EQ(response.error().kind, ClientFailure::unreachable);
    EXPECT_TRUE(response.error().before_first_byte);
    EXPECT_NE(response.error().message.find("127.0.0.1:"), std::string::npos);
    EXPECT_EQ(response.error().message.find("hunter2"), std::string::npos);
}

TEST_F(ClientWireTest, LimitsTheTimeThatASecureConnectionTakes)
{
    ScriptedPeer peer({[](ScriptedConnection& client) { client.client_left(); }});
    const auto response =
        client_.send({.url = Url::parse("https://" + peer.host_and_port()).value(),
                      .deadlines = {.connect = milliseconds(200)}});
    EXPECT_EQ(response.error().kind, ClientFailure::timeout);
}

TEST_F(ClientWireTest, LooksNamesUp)
{
    ScriptedPeer peer({ScriptedPeer::answering("HTTP/1.1 204 -\r\n\r\n")});
    const auto response =
        client_.get("http://localhost:" + std::to_string(peer.url().port()) + "/");
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 204);
}

}  // namespace
}  // namespace parley::http::client
