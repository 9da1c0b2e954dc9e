// Limits of requests: the body size of each row, memory for the response, and refusal of everything
// during shutdown. Also the refusal of input that is not a valid request.
#include "api/pipeline_for_tests.hpp"
#include "reference/routes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace parley::api {
namespace {

struct Note {
    std::string text;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("text", &Note::text, "What it says."));
    }
};

Result<Note> keep(Body<Note> note) { return Note{note.text}; }
Result<Note> keep_much(Body<Note> note) { return Note{note.text}; }
Result<Note> log_in(Body<Note> note) { return Note{note.text}; }
Result<http::Response> give_much()
{
    return http::Response{.status = 200, .fields = {}, .body = std::string(5000, 'x')};
}
Result<Note> live() { return Note{"yes"}; }
Task<Result<http::Response>> stream_two(Stream stream)
{
    http::EventStream* events = co_await stream.open();
    co_await events->send(std::make_shared<std::string>("data: 1\n\n"));
    co_await events->send(std::make_shared<std::string>("data: 22\n\n"));
    co_return http::Response{};
}

class RequestBounds : public testing::Test {
protected:
    Readiness readiness;
    TestedPipeline tested{
        {
            route<keep>("POST", "/v1/notes", "keep", "", open),
            route<keep_much>("POST", "/v1/much", "keepMuch", "", open, openai_errors, large_body),
            route<log_in>("POST", "/v1/login", "logIn", "", open, CountedAs{limits::Class::auth}),
            route<give_much>("GET", "/much", "giveMuch", "", open),
            route<live>("GET", "/alive", "live", "", open, during_shutdown),
            route<stream_two>("GET", "/stream", "streamTwo", "", open),
        },
        {.cors_origins = {"https://a.example"}, .readiness = &readiness, .max_body = 12'345}};

    std::size_t limit_of(const std::string& path)
    {
        RecordedExchange exchange("POST", path, {"Content-Type: application/json"},
                                  R"({"text":"a"})");
        EXPECT_EQ(tested.serve(exchange).status, 200);
        return exchange.body_limit;
    }
};

TEST_F(RequestBounds, ARowSaysHowLargeItsBodyMayBe)
{
    EXPECT_EQ(limit_of("/v1/notes"), 1024U * 1024);
    EXPECT_EQ(limit_of("/v1/login"), 16U * 1024);
    EXPECT_EQ(limit_of("/v1/much"), 12'345U);
}

TEST_F(RequestBounds, OnlyConversationsAndEmbeddingsTakeLargeBodies)
{
    const std::set<std::string_view> large{"/v1/chat/completions", "/v1/responses",
                                           "/v1/embeddings", "/v1/api/import"};
    for (const Route& route : reference::all_routes())
        EXPECT_EQ(route.takes_large_body, large.contains(route.path)) << route.path;
}

TEST_F(RequestBounds, AResponseThatHasNoRoomIsNotSent)
{
    RecordedExchange exchange("GET", "/much");
    exchange.room_for_response = 4999;
    const auto response = tested.serve(exchange);
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(code_of(response), "overloaded");
    EXPECT_EQ(tested.log.lines("request served").at(0).at("status"), 503);
    EXPECT_EQ(tested.ask("GET", "/much").body.size(), 5000U);
}

TEST_F(RequestBounds, NothingNewIsBegunWhileTheServerDrains)
{
    readiness.begin_shutdown();
    RecordedExchange exchange("POST", "/v1/notes", {"Content-Type: application/json"}, "{}");
    const auto response = tested.serve(exchange);
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(code_of(response), "shutting_down");
    EXPECT_EQ(field_of(response, "Retry-After"), "1");
    EXPECT_FALSE(exchange.body_was_read);
    EXPECT_EQ(tested.ask("GET", "/alive").status, 200);
    EXPECT_EQ(tested.ask("GET", "/nothing").status, 404);
}

TEST_F(RequestBounds, AStreamLogsItsBytes)
{
    tested.ask("GET", "/stream");
    EXPECT_EQ(tested.log.lines("request served").at(0).at("bytes"), 19);
}

TEST_F(RequestBounds, ARefusalIsMadeForWhatIsKnownOfTheRequest)
{
    http::RequestHead known;
    known.method = "POST";
    known.path = "/v1/much";
    known.fields = {{"Origin", "https://a.example"}, {"X-Request-Id", "mine"}};
    const auto response =
        tested.pipeline.refuse({Errc::invalid_request, "A length is malformed."}, {}, known);
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Origin"), "https://a.example");
    EXPECT_EQ(field_of(response, "X-Request-Id"), "mine");
    EXPECT_EQ(tested.log.lines("request refused").at(0).at("request_id"), "mine");
    EXPECT_EQ(json_of(response).at("error").at("type"), "invalid_request_error");

    known.path = "/v1/%6duch";  // As the router decodes it.
    EXPECT_TRUE(
        json_of(tested.pipeline.refuse({Errc::not_implemented, ""}, {}, known)).contains("error"));
    known.path = "/v1/notes";
    EXPECT_EQ(code_of(tested.pipeline.refuse({Errc::not_implemented, ""}, {}, known)),
              "not_implemented");
    const auto unknown = tested.pipeline.refuse({Errc::uri_too_long, ""}, {}, {});
    EXPECT_EQ(code_of(unknown), "uri_too_long");
    EXPECT_EQ(field_of(unknown, "Access-Control-Allow-Origin"), "(none)");
}

TEST_F(RequestBounds, AMethodThatNobodyKnowsIsRefusedInTheShapeOfThePath)
{
    const auto response = tested.ask("BREW", "/v1/much");
    EXPECT_EQ(response.status, 501);
    EXPECT_TRUE(json_of(response).contains("error"));
    EXPECT_EQ(code_of(tested.ask("BREW", "/v1/notes")), "not_implemented");
    EXPECT_EQ(code_of(tested.ask("BREW", "/nothing")), "not_implemented");
}

}  // namespace
}  // namespace parley::api
