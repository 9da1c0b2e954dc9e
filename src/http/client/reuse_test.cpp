// Connection reuse and streams of the client.
#include "http/client/blocking.hpp"
#include "http/client/peer_for_tests.hpp"
#include "http/client/pool.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

const std::string empty_answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

class ClientReuseTest : public testing::Test {
protected:
    std::optional<ClientFailure> ask(const ScriptedPeer& peer, const std::string& method = "GET")
    {
        const auto response = client_.send({.method = method, .url = peer.url()});
        return response ? std::optional<ClientFailure>() : response.error().kind;
    }
    std::size_t idle_connections()
    {
        return client_.run(
            [](Client& client) -> Task<std::size_t> { co_return client.idle_connections(); });
    }

    BlockingClient client_;
};

TEST_F(ClientReuseTest, AsksAgainOnTheSameConnection)
{
    ScriptedPeer peer({[](ScriptedConnection& client) {
        for (int i = 0; i < 3; ++i) {
            client.hear();
            client.say(empty_answer);
        }
    }});
    for (const char* method : {"GET", "POST", "HEAD"}) EXPECT_EQ(ask(peer, method), std::nullopt);
    EXPECT_EQ(peer.connections(), 1u);
}

TEST_F(ClientReuseTest, DoesNotKeepAConnectionThatTheServerWantsToClose)
{
    const auto closing = ScriptedPeer::answering("HTTP/1.1 204 -\r\nConnection: close\r\n\r\n");
    ScriptedPeer peer({closing, closing});
    EXPECT_EQ(ask(peer), std::nullopt);
    EXPECT_EQ(idle_connections(), 0u);
    EXPECT_EQ(ask(peer), std::nullopt);
}

TEST_F(ClientReuseTest, DoesNotKeepAConnectionOnWhichMoreCameThanWasAskedFor)
{
    ScriptedPeer peer({ScriptedPeer::answering(empty_answer + empty_answer)});
    EXPECT_EQ(ask(peer), std::nullopt);
    EXPECT_EQ(idle_connections(), 0u);
}

TEST_F(ClientReuseTest, NoticesThatTheServerHasClosedAnIdleConnection)
{
    Signal closed;
    ScriptedPeer peer({[&](ScriptedConnection& client) {
                           client.hear();
                           client.say(empty_answer);
                           client.close();
                           closed.give();
                       },
                       ScriptedPeer::answering(empty_answer)});
    EXPECT_EQ(ask(peer), std::nullopt);
    closed.wait();
    EXPECT_EQ(ask(peer, "POST"), std::nullopt);
    EXPECT_EQ(peer.connections(), 2u);
}

// A POST is not repeated, so it must not be sent on such a connection.
TEST_F(ClientReuseTest, NoticesThatTheServerHasResetAnIdleConnection)
{
    Signal kept;
    Signal gone;
    ScriptedPeer peer({[&](ScriptedConnection& client) {
                           client.hear();
                           client.say(empty_answer);
                           kept.wait();
                           client.reset();
                           gone.give();
                       },
                       ScriptedPeer::answering(empty_answer)});
    EXPECT_EQ(ask(peer), std::nullopt);
    EXPECT_EQ(idle_connections(), 1u);
    kept.give();
    gone.wait();
    EXPECT_EQ(ask(peer, "POST"), std::nullopt);
    EXPECT_EQ(peer.connections(), 2u);
}

// What comes without a request, for example because a time is up, is no answer to the next one.
TEST_F(ClientReuseTest, DiscardsAnIdleConnectionOnWhichSomethingComes)
{
    Signal kept;
    Signal said;
    ScriptedPeer peer({[&](ScriptedConnection& client) {
                           client.hear();
                           client.say(empty_answer);
                           kept.wait();
                           client.say("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
                           said.give();
                           client.client_left();
                       },
                       ScriptedPeer::answering("HTTP/1.1 204 No Content\r\n\r\n")});
    EXPECT_EQ(ask(peer), std::nullopt);
    EXPECT_EQ(idle_connections(), 1u);
    kept.give();
    said.wait();
    const auto response = client_.send({.method = "POST", .url = peer.url()});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 204);
    EXPECT_EQ(peer.connections(), 2u);
}

TEST_F(ClientReuseTest, SendsABodyThatTheKernelDoesNotTakeAtOnce)
{
    std::string body(std::size_t{8} * 1024 * 1024, ' ');
    for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i % 23);
    bool arrived = false;
    const auto hear_it = [&](ScriptedConnection& client) {
        for (int i = 0; i < 2; ++i) {
            arrived = client.hear().ends_with("\r\n\r\n" + body);
            client.say(empty_answer);
        }
    };
    ScriptedPeer peer({hear_it});
    for (int i = 0; i < 2; ++i) {
        const auto response = client_.send({.method = "POST", .url = peer.url(), .body = body});
        ASSERT_TRUE(response) << response.error().message;
        EXPECT_TRUE(arrived);
    }
    EXPECT_EQ(peer.connections(), 1u);
}

// The server closes a kept connection at the next request, and serves a new one.
std::vector<ScriptedPeer::Script> stale_connection()
{
    return {[](ScriptedConnection& client) {
                client.hear();
                client.say(empty_answer);
                client.hear();
            },
            ScriptedPeer::answering(empty_answer)};
}

TEST_F(ClientReuseTest, RepeatsOnAFreshConnectionWhatMayBeRepeated)
{
    for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}) {
        ScriptedPeer peer(stale_connection());
        EXPECT_EQ(ask(peer), std::nullopt);
        EXPECT_EQ(ask(peer, method), std::nullopt) << method;
        EXPECT_EQ(peer.connections(), 2u);
    }
}

TEST_F(ClientReuseTest, DoesNotRepeatWhatMayHaveBeenDone)
{
    for (const char* method : {"POST", "PATCH"}) {
        ScriptedPeer peer(stale_connection());
        EXPECT_EQ(ask(peer), std::nullopt);
        EXPECT_EQ(ask(peer, method), ClientFailure::closed) << method;
        EXPECT_EQ(peer.connections(), 1u);
    }
}

TEST_F(ClientReuseTest, RepeatsNothingThatFailedOnAFreshConnection)
{
    ScriptedPeer peer({ScriptedPeer::answering(""), ScriptedPeer::answering(empty_answer)});
    EXPECT_EQ(ask(peer), ClientFailure::closed);
    EXPECT_EQ(peer.connections(), 1u);
}

TEST_F(ClientReuseTest, RepeatsNothingWhoseAnswerHadBegun)
{
    ScriptedPeer peer({[](ScriptedConnection& client) {
                           client.hear();
                           client.say(empty_answer);
                           client.hear();
                           client.say("HTTP/1.1 2");
                       },
                       ScriptedPeer::answering(empty_answer)});
    EXPECT_EQ(ask(peer), std::nullopt);
    EXPECT_EQ(ask(peer), ClientFailure::closed);
    EXPECT_EQ(peer.connections(), 1u);
}

TEST_F(ClientReuseTest, HandsOutAStreamAsItComes)
{
    Signal heard_first;
    ScriptedPeer peer({[&](ScriptedConnection& client) {
        client.hear();
        client.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n");
        client.say("5\r\nfirst\r\n");
        heard_first.wait();
        client.say("6\r\nsecond\r\n0\r\n\r\n");
    }});
    const auto pieces = client_.run([&](Client& client) -> Task<std::vector<std::string>> {
        auto stream = (co_await client.open({.url = peer.url()})).value();
        EXPECT_EQ(stream->head().status, 200);
        EXPECT_EQ(stream->head().field("x-a"), "b");
        std::vector<std::string> all;
        do {
            all.emplace_back((co_await stream->next()).value());
            if (all.size() == 1) heard_first.give();
        } while (!all.back().empty());
        co_return all;
    });
    EXPECT_EQ(pieces, (std::vector<std::string>{"first", "second", ""}));
    EXPECT_EQ(idle_connections(), 1u);
}

TEST_F(ClientReuseTest, ClosesTheConnectionOfAStreamThatIsGivenUp)
{
    bool left = false;
    {
        ScriptedPeer peer({[&](ScriptedConnection& client) {
            client.hear();
            client.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
            left = client.client_left();
        }});
        client_.run([&](Client& client) -> Task<> {
            auto stream = (co_await client.open({.url = peer.url()})).value();
            EXPECT_EQ((co_await stream->next()).value(), "first");
        });
    }
    EXPECT_TRUE(left);
    EXPECT_EQ(idle_connections(), 0u);
}

TEST_F(ClientReuseTest, AStreamMayBeLongerThanAnAnswerAndComesInBoundedPieces)
{
    constexpr std::size_t size = std::size_t{20} * 1024 * 1024;
    ScriptedPeer peer(
        {ScriptedPeer::answering("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) +
                                 "\r\n\r\n" + std::string(size, 'x'))});
    const auto total = client_.run([&](Client& client) -> Task<std::size_t> {
        auto stream = (co_await client.open({.url = peer.url()})).value();
        std::size_t sum = 0;
        while (true) {
            const auto piece = (co_await stream->next()).value();
            if (piece.empty()) co_return sum;
            EXPECT_LE(piece.size(), std::size_t{32} * 1024);
            sum += piece.size();
        }
    });
    EXPECT_EQ(total, size);
}

TEST_F(ClientReuseTest, ARequestMayOutliveItsClient)
{
    Signal gone;
    ScriptedPeer peer({[&](ScriptedConnection& client) {
        client.hear();
        gone.wait();
        client.say(empty_answer);
    }});
    Loops loops(1, system_clock());
    auto client = std::make_unique<Client>(loops[0]);
    auto answer = boost::asio::co_spawn(loops[0].executor(), client->send({.url = peer.url()}),
                                        boost::asio::use_future);
    boost::asio::post(loops[0].executor(), [&] {
        client.reset();
        gone.give();
    });
    EXPECT_EQ(answer.get().value().status, 200);
}

}  // namespace
}  // namespace parley::http::client
