// Selection of servers, retries and timeouts.
#include "engine/upstream/call.hpp"

#include "engine/upstream/asking_for_tests.hpp"

#include <latch>

namespace parley::engine::upstream {
namespace {

class CallTest : public AskingTest {
protected:
    const std::string good = json("200 OK", R"({"good":1})");
    static std::string busy(const std::string& status, const std::string& after)
    {
        return response(
            status + " Busy\r\nContent-Type: application/json\r\nRetry-After: " + after + "\r\n",
            "{}");
    }
    static void never_answers(http::client::ScriptedConnection& client)
    {
        client.hear();
        client.client_left();
    }
};

TEST_F(CallTest, AsksTheNextServerWhereNothingCanHaveBeenDone)
{
    for (const std::string& first : {busy("429", "1"), busy("503", "1")}) {
        Peer busy_one({Peer::answering(first)});
        Peer other({Peer::answering(good)});
        open({nobody(), busy_one.url(), other.url()});
        EXPECT_EQ(ask().status, 200);
        EXPECT_EQ(busy_one.connections(), 1U);
    }
}

TEST_F(CallTest, AsksNobodyElseWhereSomethingMayHaveBeenDone)
{
    for (const char* first : {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
                              "HTTP/1.1 502 Oops\r\nContent-Length: 0\r\n\r\n", "nonsense", ""}) {
        Peer broken({Peer::answering(first)});
        Peer other({Peer::answering(good)});
        open({broken.url(), other.url()});
        EXPECT_EQ(ask().code(), Errc::upstream_error) << first;
        EXPECT_EQ(other.connections(), 0U) << first;
    }
}

TEST_F(CallTest, TriesAgainAfterThePauseThatItIsAskedFor)
{
    const auto say_busy = Peer::answering(busy("429", "3"));
    Peer peer({say_busy, say_busy, Peer::answering(good)});
    open({peer.url()});
    const auto begun = clock.steady();
    EXPECT_EQ(ask_while_time_passes().status, 200);
    EXPECT_EQ(peer.connections(), 3U);
    EXPECT_GE(clock.steady() - begun, std::chrono::seconds(6));
}

TEST_F(CallTest, GivesUpAfterThreeRounds)
{
    const auto say_busy = Peer::answering(busy("503", "1"));
    Peer peer({say_busy, say_busy, say_busy, Peer::answering(good)});
    open({peer.url()});
    const Relayed answer = ask_while_time_passes();
    EXPECT_EQ(answer.code(), Errc::overloaded);
    EXPECT_EQ(answer.error->retry_after, std::chrono::seconds(1));
    EXPECT_EQ(peer.connections(), 3U);
}

TEST_F(CallTest, DoesNotWaitForLong)
{
    Peer peer({Peer::answering(busy("429", "60")), Peer::answering(good)});
    open({peer.url()});
    const Relayed answer = ask();
    EXPECT_EQ(answer.code(), Errc::overloaded);
    EXPECT_EQ(answer.error->retry_after, std::chrono::seconds(60));
    EXPECT_EQ(peer.connections(), 1U);
}

TEST_F(CallTest, LeavesAServerAloneThatIsDown)
{
    open({nobody()});
    EXPECT_EQ(ask_while_time_passes().code(), Errc::upstream_error);
    // The fifth failure occurs in the second request.
    EXPECT_EQ(ask_while_time_passes().code(), Errc::upstream_error);
    const Relayed answer = ask();
    EXPECT_EQ(answer.code(), Errc::model_unavailable);
    EXPECT_GE(answer.error->retry_after.value(), std::chrono::seconds(1));
    EXPECT_LE(answer.error->retry_after.value(), Breaker::pause);
    clock.advance(Breaker::pause);
    EXPECT_EQ(ask_while_time_passes().code(), Errc::upstream_error);
    EXPECT_EQ(ask().code(), Errc::model_unavailable);
}

TEST_F(CallTest, SaysWhatWasWrongWhenTimeRunsOutBetweenTwoTries)
{
    std::latch said(1);
    Peer peer({[&](http::client::ScriptedConnection& client) {
        client.hear();
        client.say(busy("429", "3"));
        said.count_down();
    }});
    open({peer.url()}, {.first_token = std::chrono::seconds(1)});
    auto answer = begin(true);
    said.wait();  // Time does not run out before.
    while (answer.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
        clock.advance(std::chrono::milliseconds(10));
    EXPECT_EQ(answer.get().code(), Errc::overloaded);
}

TEST_F(CallTest, ComesBackToAServerThatIsUpAgain)
{
    std::vector<Peer::Script> scripts(5, Peer::answering("HTTP/1.1 502 Oops\r\n\r\n"));
    scripts.push_back(Peer::answering(good));
    Peer peer(std::move(scripts));
    open({peer.url()});
    for (int i = 0; i < 5; ++i) EXPECT_EQ(ask().code(), Errc::upstream_error);
    EXPECT_EQ(ask().code(), Errc::model_unavailable);
    EXPECT_EQ(peer.connections(), 5U);
    clock.advance(Breaker::pause);
    EXPECT_EQ(ask().status, 200);
}

TEST_F(CallTest, LetsNobodyTakeAModelFromOthersByAskingOddly)
{
    const auto refuse = Peer::answering("HTTP/1.1 500 Oops\r\n\r\n");
    std::vector<Peer::Script> scripts(8, refuse);
    scripts.push_back(Peer::answering(good));
    Peer peer(std::move(scripts));
    open({peer.url()});
    for (int i = 0; i < 8; ++i) EXPECT_EQ(ask().code(), Errc::upstream_error);
    EXPECT_EQ(ask().status, 200);
}

// Slow answers to one user must not block the others, as long as the server is up.
TEST_F(CallTest, LeavesASlowServerAloneOnlyIfAProbeFails)
{
    std::vector<Peer::Script> scripts(5, never_answers);
    scripts.push_back(Peer::answering(json("200 OK", R"({"data":[]})")));  // The probe.
    scripts.push_back(Peer::answering(good));
    Peer peer(std::move(scripts));
    open({peer.url("/v1/chat/completions")});
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(ask_while_time_passes(true).code(), Errc::upstream_timeout) << i;
    while (peer.connections() < 6) std::this_thread::yield();
    EXPECT_EQ(ask().status, 200);
}

TEST_F(CallTest, LeavesASlowServerAloneIfAProbeFails)
{
    std::string probe;
    std::vector<Peer::Script> scripts(5, never_answers);
    scripts.emplace_back([&](http::client::ScriptedConnection& client) {
        probe = client.hear();
        client.reset();
    });
    scripts.resize(10, Peer::answering("HTTP/1.1 502 Oops\r\n\r\n"));
    Peer peer(std::move(scripts));
    open({peer.url("/v1/chat/completions")});
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(ask_while_time_passes(true).code(), Errc::upstream_timeout) << i;
    while (peer.connections() < 6) std::this_thread::yield();
    // The probe may still be running; the failures alone are too few to open the breaker.
    std::optional<Errc> code;
    for (int i = 1; i < Breaker::failures_in_a_row && code != Errc::model_unavailable; ++i)
        code = ask().code();
    EXPECT_EQ(code, Errc::model_unavailable);
    EXPECT_TRUE(probe.starts_with("GET /v1/models HTTP/1.1")) << probe;
}

TEST_F(CallTest, WaitsForTheFirstPieceAndThroughSilenceAsLongAsItMay)
{
    Peer silent({never_answers});
    open({silent.url()});
    auto begun = clock.steady();
    EXPECT_EQ(ask_while_time_passes(true).code(), Errc::upstream_timeout);
    EXPECT_GE(clock.steady() - begun, UpstreamTimes().first_token);

    Peer stuck({[](http::client::ScriptedConnection& client) {
        client.hear();
        client.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n");
        client.client_left();
    }});
    open({stuck.url()});
    begun = clock.steady();
    const Relayed answer = ask_while_time_passes(true);
    EXPECT_EQ(answer.body(), "data: {}\n\n");
    EXPECT_EQ(answer.code(), Errc::upstream_timeout);
    EXPECT_GE(clock.steady() - begun, UpstreamTimes().silence);
}

TEST_F(CallTest, WaitsLongerForAnAnswerThatComesAsAWhole)
{
    Peer silent({never_answers});
    open({silent.url()});
    const auto begun = clock.steady();
    EXPECT_EQ(ask_while_time_passes().code(), Errc::upstream_timeout);
    EXPECT_GE(clock.steady() - begun, run_timeout);
}

}  // namespace
}  // namespace parley::engine::upstream
