#include "engine/upstream/upstream_relay.hpp"

#include "engine/upstream/asking_for_tests.hpp"

namespace parley::engine::upstream {
namespace {

class RelayTest : public AskingTest {};

TEST_F(RelayTest, HandsARequestAndItsAnswerOnAsTheyAre)
{
    std::string heard;
    Peer peer({[&](http::client::ScriptedConnection& client) {
        heard = client.hear();
        client.say(json("200 OK", R"({ "choices": [] })"));
    }});
    open({peer.url("/v1/chat/completions")});
    const Relayed answer = ask();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.pieces, (std::vector<std::string>{R"({ "choices": [] })"}));
    EXPECT_TRUE(heard.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"));
    EXPECT_NE(heard.find("\r\nAuthorization: Bearer sk-very-secret\r\n"), heard.npos);
    EXPECT_TRUE(
        heard.ends_with("\r\n\r\n"
                        R"({"model":"there","n":1})"));
}

TEST_F(RelayTest, AsksForEmbeddingsBelowTheSameBaseUrl)
{
    std::string heard;
    Peer peer({[&](http::client::ScriptedConnection& client) {
        heard = client.hear();
        client.say(json("200 OK", R"({"model":"there","usage":{"prompt_tokens":7}})"));
    }});
    open({peer.url("/x/v1/chat/completions")});
    sent.path = embeddings_path;
    EXPECT_EQ(ask().body(), R"({"model":"m","usage":{"prompt_tokens":7}})");
    EXPECT_TRUE(heard.starts_with("POST /x/v1/embeddings HTTP/1.1\r\n"));
    EXPECT_EQ(engine->figures().input_tokens, 7U);
}

TEST_F(RelayTest, AServerWithoutEmbeddingsIsNotMisconfigured)
{
    for (const char* status : {"404", "405", "501"}) {
        const std::string bytes = json(std::string(status) + " No", "{}");
        EXPECT_EQ(answered(bytes).code(), Errc::upstream_error);
        sent.path = embeddings_path;
        const Relayed answer = answered(bytes);
        EXPECT_EQ(answer.code(), Errc::validation_failed);
        EXPECT_EQ(answer.error->faults.at(0).code, "unsupported_parameter");
        sent.path = completions_path;
    }
}

TEST_F(RelayTest, AnAnswerMayBeAsLongAsTheRequestSays)
{
    const std::string bytes = json("200 OK", R"({"a":")" + std::string(1000, 'a') + R"("})");
    sent.max_answer = 1008;
    EXPECT_EQ(answered(bytes).status, 200);
    sent.max_answer = 1007;
    EXPECT_EQ(answered(bytes).code(), Errc::upstream_error);
    EXPECT_EQ(engine->figures().output_tokens, 1U) << "estimated by the time";
}

TEST_F(RelayTest, HandsOnWhatTheOtherSideSaysAboutTheRequest)
{
    for (const char* status : {"400", "413", "422"}) {
        const Relayed answer = answered(json(std::string(status) + " No", R"({"error":{}})"));
        EXPECT_EQ(std::to_string(answer.status), status);
        EXPECT_EQ(answer.body(), R"({"error":{}})");
    }
    // Also if the client asked for a stream.
    EXPECT_EQ(answered(json("400 No", "{}"), true).status, 400);
    // But neither our key nor a web page.
    EXPECT_EQ(answered(json("400 No", R"({"error":"sk-very-secret"})")).code(),
              Errc::upstream_error);
    EXPECT_EQ(answered(response("400 No\r\nContent-Type: text/html\r\n", "<p>")).code(),
              Errc::upstream_error);
}

TEST_F(RelayTest, HandsEventsOnAsTheyCome)
{
    http::client::Signal go_on;
    Peer peer({[&](http::client::ScriptedConnection& client) {
        client.hear();
        client.say(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"
            ": wait\n\ndata: {\"a\":1}\n\ndata: {\"b\"");
        go_on.wait();
        client.say(":2}\n\ndata: [DONE]\n\n");
    }});
    open({peer.url()});
    auto answer = begin(true);
    go_on.give();
    const Relayed heard = answer.get();
    EXPECT_FALSE(heard.error);
    EXPECT_TRUE(heard.body().ends_with("data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n"));
}

TEST_F(RelayTest, FailsBeforeTheFirstEventAsAWhole)
{
    for (const char* body : {"", ": ping\n\n", "data: {\"error\":{\"message\":\"no\"}}\n\n",
                             "data: nonsense\n\n", "data: {\"a\":1}"}) {
        const Relayed answer = answered(events(body), true);
        EXPECT_EQ(answer.code(), Errc::upstream_error) << body;
        EXPECT_TRUE(answer.pieces.empty()) << body;
    }
}

TEST_F(RelayTest, GivesWhatCameBeforeAFailure)
{
    const Relayed answer = answered(events("data: {\"a\":1}\n\ndata: {\"b\":"), true);
    EXPECT_EQ(answer.body(), "data: {\"a\":1}\n\n");
    EXPECT_EQ(answer.code(), Errc::upstream_error);
}

TEST_F(RelayTest, RefusesAnswersThatAreNone)
{
    EXPECT_EQ(answered(json("200 OK", "nonsense")).code(), Errc::upstream_error);
    EXPECT_EQ(answered(json("200 OK", "{\"a\":\"\xff\"}")).code(), Errc::upstream_error);
    EXPECT_EQ(answered(json("200 OK", "{")).code(), Errc::upstream_error);
    EXPECT_EQ(answered(events("data: [DONE]\n\n")).code(), Errc::upstream_error);
    EXPECT_EQ(answered(json("200 OK", "{}"), true).code(), Errc::upstream_error);
    EXPECT_EQ(answered(json("200 OK", "{\"a\":\"" + std::string(9'000'000, 'x') + "\"}")).code(),
              Errc::upstream_error);
    EXPECT_EQ(answered(json("400 No", "{\"a\":\"" + std::string(70'000, 'x') + "\"}")).code(),
              Errc::upstream_error);
}

TEST_F(RelayTest, StopsWhileItWaits)
{
    for (const char* said :
         {"", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n"}) {
        http::client::Signal waiting;
        Peer peer({[&](http::client::ScriptedConnection& client) {
            client.hear();
            client.say(said);
            waiting.give();
            client.client_left();
        }});
        open({peer.url()});
        auto answer = begin(true);
        waiting.wait();
        boost::asio::post(loops[0].executor(), [this] {
            if (asked) asked->stop();
        });
        EXPECT_EQ(answer.get().code(), Errc::upstream_error);
    }
}

TEST_F(RelayTest, EstimatesAnAnswerThatNobodyHasWaitedFor)
{
    struct Case {
        const char* body;
        std::string_view path;
        bool streamed;
        std::uint64_t tokens;
    };
    for (const auto& [body, path, streamed, tokens] :
         {Case{R"({"model":"m"})", completions_path, false, 1024},
          Case{R"({"model":"m","max_tokens":7})", completions_path, false, 7},
          Case{R"({"model":"m","max_tokens":5000})", completions_path, false, 2501},
          Case{R"({"model":"m","n_predict":5000})", completions_path, false, 2501},
          Case{R"({"model":"m","n":3})", completions_path, false, 3072},
          Case{R"({"model":"m","n":2,"max_tokens":5000})", completions_path, false, 5002},
          Case{R"({"model":"m","n":2,"max_tokens":2000})", completions_path, false, 4000},
          Case{R"({"model":"m"})", completions_path, true, 0},
          Case{R"({"model":"m"})", embeddings_path, false, 0}}) {
        http::client::Signal waiting;
        Peer peer({[&](http::client::ScriptedConnection& client) {
            client.hear();
            waiting.give();
            client.client_left();
        }});
        open({peer.url("/v1/chat/completions")});
        sent.body = body;
        sent.path = path;
        auto answer = begin(streamed);
        waiting.wait();
        clock.advance(std::chrono::seconds(50));
        boost::asio::post(loops[0].executor(), [this] {
            if (asked) asked->stop();
        });
        EXPECT_EQ(answer.get().code(), Errc::upstream_error);
        EXPECT_EQ(engine->figures().output_tokens, tokens) << body << path << streamed;
    }
}

TEST_F(RelayTest, EstimatesAnAnswerThatTookTooLong)
{
    for (const char* said :
         {"", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"}) {
        http::client::Signal waiting;
        Peer peer({[&](http::client::ScriptedConnection& client) {
            client.hear();
            client.say(said);
            waiting.give();
            client.client_left();
        }});
        open({peer.url("/v1/chat/completions")});
        sent.body = R"({"model":"m","max_tokens":5000})";
        auto answer = begin();
        waiting.wait();
        while (answer.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
            clock.advance(std::chrono::seconds(100));  // A token takes 20 ms: as long as all take.
        EXPECT_EQ(answer.get().code(), Errc::upstream_timeout) << said;
        EXPECT_EQ(engine->figures().output_tokens, 5000U) << said;
    }
}

TEST_F(RelayTest, EstimatesNothingIfAServerDoesNotTakeTheRequest)
{
    const std::vector<Peer::Script> scripts(3, [](http::client::ScriptedConnection& client) {
        client.client_left();  // Does not speak TLS.
    });
    Peer peer(scripts);
    const std::string url = "https://" + peer.host_and_port() + "/v1/chat/completions";
    open({http::client::Url::parse(url).value()});
    EXPECT_EQ(ask_while_time_passes().code(), Errc::upstream_timeout);
    EXPECT_EQ(engine->figures().output_tokens, 0U);
}

TEST_F(RelayTest, EstimatesNothingForAServerThatWasNotAsked)
{
    http::client::Signal waiting;
    Peer peer({[&](http::client::ScriptedConnection& client) {  // Does not speak TLS.
        waiting.give();
        client.client_left();
    }});
    const std::string url = "https://" + peer.host_and_port() + "/v1/chat/completions";
    open({http::client::Url::parse(url).value()});
    auto answer = begin();
    waiting.wait();
    clock.advance(std::chrono::milliseconds(500));
    boost::asio::post(loops[0].executor(), [this] {
        if (asked) asked->stop();
    });
    EXPECT_EQ(answer.get().code(), Errc::upstream_error);
    EXPECT_EQ(engine->figures().output_tokens, 0U);
}

}  // namespace
}  // namespace parley::engine::upstream
