#include "api/relayed_completion.hpp"

#include "api/pipeline_for_tests.hpp"
#include "api/route.hpp"
#include "api/wire/completion_request.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <deque>

namespace parley::api {
namespace {

// The model's server: its planned behaviour, and the request that it got.
struct OtherSide {
    std::optional<Error> refuses = {};
    int status = 200;
    std::deque<Result<std::string>> pieces = {};
    std::function<void(const Executor&)> before_its_turn = {};
    std::function<void()> before_it_opens = {};
    std::function<void()> before_the_next = {};
    bool takes_time = false;  // Before each piece, the loop gets a turn.

    std::string body = {};
    std::string model = {};
    std::string trace = {};
    bool streamed = false;
    bool opened = false;
    bool stopped = false;
};

class FakeAnswer final : public engine::RelayedAnswer {
public:
    explicit FakeAnswer(OtherSide& side) : side_(side) {}

    Task<Result<>> open() override
    {
        side_.opened = true;
        if (side_.before_it_opens) side_.before_it_opens();
        if (side_.stopped) co_return Error{Errc::upstream_error, "stopped"};
        if (side_.refuses) co_return *side_.refuses;
        has_begun_ = true;
        co_return Result<>();
    }
    int status() const override { return side_.status; }
    Task<Result<std::string_view>> next() override
    {
        if (side_.before_the_next) side_.before_the_next();
        if (side_.takes_time)
            co_await boost::asio::post(co_await boost::asio::this_coro::executor, awaiting);
        if (side_.stopped) co_return Error{Errc::upstream_error, "stopped"};
        if (side_.pieces.empty()) co_return std::string_view();
        auto piece = std::move(side_.pieces.front());
        side_.pieces.pop_front();
        if (!piece) co_return piece.error();
        piece_ = std::move(*piece);
        co_return piece_;
    }
    bool has_begun() const override { return has_begun_; }
    void stop() override { side_.stopped = true; }

private:
    OtherSide& side_;
    std::string piece_;
    bool has_begun_ = false;
};

class FakeRelay final : public engine::Relay {
public:
    explicit FakeRelay(OtherSide& side) : side_(side) {}
    std::unique_ptr<engine::RelayedAnswer> prepare(const Executor& loop,
                                                   engine::RelayedRequest request) override
    {
        if (side_.before_its_turn) side_.before_its_turn(loop);
        side_.body = std::move(request.body);
        side_.streamed = request.streamed;
        side_.model = std::move(request.model);
        side_.trace = std::move(request.trace);
        return std::make_unique<FakeAnswer>(side_);
    }

private:
    OtherSide& side_;
};

class FriendlyAuthenticator final : public auth::Authenticator {
public:
    Ready<Result<auth::CallerRef>> identify(std::string_view /*token*/) override
    {
        return std::make_shared<const auth::Caller>(
            auth::Caller{.user = "usr_1", .scopes = {auth::Scope::chat_write}});
    }
    Ready<Result<auth::CallerRef>> identify_again(const auth::CallerRef& caller) override
    {
        return caller;
    }
    Ready<bool> is_revoked(const auth::TokenHash& /*token*/) override { return revokes; }

    bool revokes = false;
};

Task<Result<CompletionAnswer>> relay_it(engine::Relay& relay, chat::RunQueue& queue,
                                        CompletionClient client, UnreadBody<CompletionRoute> body)
{
    Faults faults;
    client.streamed = body.read(faults).stream.value_or(false);
    const auto place = chat::QueuePlace::take(queue, client.caller->user, "relayed");
    if (!place) co_return place.error();
    RelayedFormat format(body.json);
    co_return co_await complete_relayed(relay, **place, std::move(body.text), std::move(format),
                                        "m", client);
}

class RelayedCompletion : public testing::Test {
protected:
    const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    http::Response ask(bool streamed, const std::string& more = {})
    {
        const std::string body =
            R"({ "model":"m",  "n": 2, )" + more + R"("stream":)" + (streamed ? "true}" : "false}");
        exchange.emplace(
            "POST", "/v1/relay",
            std::vector<std::string>{"Authorization: Bearer t", "Content-Type: application/json",
                                     "traceparent: " + trace},
            body);
        auto response = tested.serve(*exchange);
        EXPECT_EQ(side.body, body);
        EXPECT_EQ(side.model, "m");
        EXPECT_EQ(side.trace, trace);
        EXPECT_EQ(side.streamed, streamed);
        EXPECT_FALSE(exchange->left);  // The watch ends with the response.
        return response;
    }
    // Simulates a disconnect.
    std::function<void()> leaving()
    {
        return [this] {
            if (exchange->left) exchange->left();
        };
    }

    OtherSide side;
    FakeRelay relay{side};
    FriendlyAuthenticator authenticator;
    chat::RunQueue queue{1, 1};
    Readiness readiness;
    OpenStreams streams{authenticator};
    TestedPipeline tested{
        {route<relay_it>("POST", "/v1/relay", "relayIt", "Relay", lenient, openai_errors)},
        [this](Services& services) {
            services.add<engine::Relay>(relay);
            services.add(queue);
            services.add(streams);
            services.add(std::as_const(readiness));
            services.add<const Clock>(system_clock());
        },
        {.authenticator = &authenticator}};
    std::optional<RecordedExchange> exchange;
};

TEST_F(RelayedCompletion, HandsAnAnswerOnAsItIs)
{
    side.pieces = {std::string(R"({"choices": )"), std::string("[1,2]}")};
    const auto response = ask(false);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"choices": [1,2]})");
    EXPECT_EQ(field_of(response, "Content-Type"), "application/json");
}

TEST_F(RelayedCompletion, HandsAStreamOnEventByEvent)
{
    side.pieces = {std::string("data: 1\n\ndata: 2\n\n"), std::string("data: [DONE]\n\n")};
    ask(true);
    EXPECT_EQ(exchange->events.frames,
              (std::vector<std::string>{"data: 1\n\ndata: 2\n\n", "data: [DONE]\n\n"}));
    EXPECT_FALSE(exchange->events.was_cut);
}

TEST_F(RelayedCompletion, TellsWhatTheOtherSideFindsWrong)
{
    side.status = 422;
    for (const bool streamed : {false, true}) {
        side.pieces = {std::string(R"({"error":{"message":"no such tool"}})")};
        const auto told = ask(streamed);
        EXPECT_EQ(told.status, 422);
        EXPECT_EQ(told.body, R"({"error":{"message":"no such tool"}})");
    }
    for (const char* odd : {"<html>no</html>", R"({"error":"no"})", R"(["error"])", ""}) {
        side.pieces = {std::string(odd)};
        const auto told = ask(false);
        EXPECT_EQ(told.status, 422);
        EXPECT_EQ(json_of(told).at("error").at("code"), "invalid_request") << odd;
    }
}

TEST_F(RelayedCompletion, FailsBeforeTheFirstPiece)
{
    side.refuses =
        Error{.code = Errc::overloaded, .message = "later", .retry_after = std::chrono::seconds(7)};
    for (const bool streamed : {false, true}) {
        const auto response = ask(streamed);
        EXPECT_EQ(response.status, 503);
        EXPECT_EQ(field_of(response, "Retry-After"), "7");
        EXPECT_EQ(field_of(response, "x-should-retry"), "(none)");
        EXPECT_EQ(json_of(response).at("error").at("type"), "server_error");
    }
}

TEST_F(RelayedCompletion, WhoWaitedForTheWholeTimeIsNotToTryAgain)
{
    side.refuses = Error{Errc::upstream_timeout, "too slow"};
    EXPECT_EQ(field_of(ask(false), "x-should-retry"), "false");
    EXPECT_EQ(field_of(ask(true), "x-should-retry"), "(none)");
}

TEST_F(RelayedCompletion, FailsInTheMiddle)
{
    const Error cut{Errc::upstream_error, "cut"};
    side.pieces = {std::string("{"), cut};
    const auto response = ask(false);
    EXPECT_EQ(response.status, 502);
    EXPECT_EQ(field_of(response, "x-should-retry"), "false");

    side.pieces = {std::string("data: 1\n\n"), cut};
    ask(true);
    ASSERT_EQ(exchange->events.frames.size(), 2U);
    EXPECT_EQ(exchange->events.frames[1],
              "data: {\"error\":{\"message\":\"cut\",\"type\":\"server_error\",\"param\":null,"
              "\"code\":\"upstream_error\"}}\n\n");
}

TEST_F(RelayedCompletion, KeepsOnlySoMuchInMemory)
{
    const std::string megabyte(std::size_t{1} * 1024 * 1024, ' ');
    for (int i = 0; i < 17; ++i) side.pieces.emplace_back(megabyte);
    EXPECT_EQ(ask(false).status, 502);
}

TEST_F(RelayedCompletion, HoldsTheTextOfAllChoicesOfAFormatWithinOneLimit)
{
    const std::string text(std::size_t{2} * 1024 * 1024, ' ');
    for (int i = 0; i < 3; ++i)
        side.pieces.emplace_back(R"(data: {"choices":[{"index":)" + std::to_string(i) +
                                 R"(,"delta":{"content":")" + text + "\"}}]}\n\n");
    ask(true, R"("response_format":{"type":"json_object"},)");
    ASSERT_EQ(exchange->events.frames.size(), 3U);
    EXPECT_NE(exchange->events.frames[2].find(R"("code":"upstream_error")"), std::string::npos)
        << exchange->events.frames[2].substr(0, 200);
}

TEST_F(RelayedCompletion, EndsWhenTheClientLeaves)
{
    for (const bool streamed : {false, true}) {
        side = {};
        side.before_it_opens = leaving();
        EXPECT_EQ(ask(streamed).status, 499);
        EXPECT_TRUE(side.stopped);

        side = {};
        side.pieces = {std::string("data: 1\n\n")};
        side.before_the_next = leaving();
        ask(streamed);
        EXPECT_TRUE(side.stopped);
        EXPECT_TRUE(exchange->events.frames.empty());
    }
}

TEST_F(RelayedCompletion, WaitsForItsTurnAndGivesItUpAtTheEnd)
{
    for (const bool streamed : {false, true}) {
        side = {};
        side.pieces = {std::string("data: 1\n\n")};
        ASSERT_TRUE(*queue.enter("usr_2", "other"));
        side.before_its_turn = [this](const Executor& loop) {
            EXPECT_EQ(queue.waiting(), 1U);
            boost::asio::post(loop, [this] {
                EXPECT_FALSE(side.opened);
                queue.leave("other");
            });
        };
        side.before_it_opens = [this] { EXPECT_EQ(queue.running(), 1U); };
        ask(streamed);
        EXPECT_TRUE(side.opened);
        EXPECT_EQ(queue.running(), 0U);
    }
}

TEST_F(RelayedCompletion, LeavesTheLineWithItsClient)
{
    ASSERT_TRUE(*queue.enter("usr_2", "other"));
    side.before_its_turn = [this](const Executor& loop) { boost::asio::post(loop, leaving()); };
    EXPECT_EQ(ask(false).status, 499);
    EXPECT_FALSE(side.opened);
    EXPECT_EQ(queue.waiting(), 0U);
}

TEST_F(RelayedCompletion, IsRefusedIfTheLineIsFull)
{
    ASSERT_TRUE(*queue.enter("usr_2", "other"));
    ASSERT_FALSE(*queue.enter("usr_3", "another"));
    exchange.emplace(
        "POST", "/v1/relay",
        std::vector<std::string>{"Authorization: Bearer t", "Content-Type: application/json"},
        R"({"model":"m"})");
    const auto response = tested.serve(*exchange);
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(json_of(response).at("error").at("code"), "overloaded");
}

// At shutdown, every waiting request gets an error that says so.
TEST_F(RelayedCompletion, TellsThatTheServerShutsDown)
{
    for (const bool streamed : {false, true}) {
        side = {};
        side.before_it_opens = leaving();
        readiness.begin_shutdown();
        const auto response = ask(streamed);
        EXPECT_EQ(response.status, 503);
        EXPECT_EQ(json_of(response).at("error").at("code"), "shutting_down");
        EXPECT_NE(field_of(response, "Retry-After"), "(none)");
    }
}

TEST_F(RelayedCompletion, EndsWhenTheStreamIsCut)
{
    side.pieces = {std::string("data: 1\n\n"), std::string("data: 2\n\n")};
    side.before_the_next = [this] {
        if (!exchange->events.frames.empty()) exchange->events.cut();
    };
    ask(true);
    EXPECT_TRUE(side.stopped);
    EXPECT_EQ(exchange->events.frames.size(), 1U);
}

TEST_F(RelayedCompletion, CutsTheStreamOfARevokedToken)
{
    side.pieces = {std::string("data: 1\n\n"), std::string("data: 2\n\n")};
    side.takes_time = true;
    side.before_the_next = [this] {
        EXPECT_EQ(streams.count(), 1U) << "one watch is enough";
        if (exchange->events.frames.empty()) return;
        authenticator.revokes = true;
        streams.check("usr_1");
    };
    ask(true);
    EXPECT_TRUE(side.stopped);
    EXPECT_TRUE(exchange->events.was_cut);
    EXPECT_EQ(exchange->events.frames.size(), 1U);
    EXPECT_EQ(streams.count(), 0U);
}

TEST_F(RelayedCompletion, RefusesATokenThatIsRevokedBeforeTheFirstPiece)
{
    for (const bool streamed : {false, true}) {
        side = {};
        authenticator.revokes = false;
        side.before_it_opens = [this] {
            authenticator.revokes = true;
            streams.check("usr_1");
        };
        side.takes_time = true;
        side.pieces = {std::string("data: 1\n\n")};
        const auto response = ask(streamed);
        EXPECT_TRUE(side.stopped);
        if (streamed)
            EXPECT_TRUE(exchange->events.frames.empty());
        else
            EXPECT_EQ(response.status, 401);
    }
}

}  // namespace
}  // namespace parley::api
