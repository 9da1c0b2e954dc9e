#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <stdexcept>

namespace parley::api {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;

struct Word {
    std::string word;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("word", &Word::word, "A word."));
    }
};

Result<Word> say(Path<Word> path) { return Word{path.word}; }
Result<Word> throw_up() { throw std::runtime_error("password is swordfish"); }
Task<Result<Word>> throw_later()
{
    throw std::runtime_error("password is swordfish");
    co_return Word{};
}
Result<Word> throw_number() { throw 7; }  // NOLINT(misc-throw-by-value-catch-by-reference)
Result<Word> fail() { return Error{Errc::internal, "told", "disk 7 is gone"}; }
Result<Word> keep_busy() { return Error{Errc::overloaded, "Come back later.", "queue of 9"}; }
Result<http::Response> cacheable()
{
    http::Response response;
    response.fields.add("Cache-Control", "max-age=60");
    return response;
}

Result<http::Response> made()
{
    http::Response response;
    response.fields.add("Location", "/v1/made/1");
    response.fields.add("Link", "</v1/made?after=1>; rel=\"next\"");
    return response;
}

// Names its run, and ends as the word says.
Result<Word> ask_model(Path<Word> path, CommonHeaders& common_headers)
{
    common_headers.add_run("run_1", true);
    common_headers.add("X-Other", "kept");
    if (path.word == "revoked") return auth::invalid_token();
    if (path.word == "forbidden") return Error{Errc::insufficient_scope, "no"};
    if (path.word == "failed") return Error{Errc::upstream_error, "no"};
    return Word{path.word};
}

class PipelineTest : public testing::Test {
protected:
    TestedPipeline tested{
        {
            route<say>("GET", "/v1/say/{word}", "say", "Description it", open),
            route<throw_up>("GET", "/throw", "throwUp", "", open),
            route<throw_later>("GET", "/throw-later", "throwLater", "", open),
            route<throw_number>("GET", "/throw-number", "throwNumber", "", open),
            route<fail>("GET", "/fail", "fail", "", open),
            route<keep_busy>("GET", "/busy", "keepBusy", "", open),
            route<cacheable>("GET", "/cacheable", "cacheable", "", open),
            route<made>("POST", "/v1/made", "made", "", open),
            route<ask_model>("GET", "/v1/ask/{word}", "askModel", "", open),
            route<ask_model>("GET", "/v1/openai/{word}", "askModel", "", open, openai_errors),
        },
        {.public_url = "https://chat.example.org/"}};
};

TEST_F(PipelineTest, GivesEveryResponseAnIdOfItsOwn)
{
    const auto first = field_of(tested.ask("GET", "/v1/say/hi"), "X-Request-Id");
    const auto second = field_of(tested.ask("GET", "/nothing"), "X-Request-Id");
    EXPECT_THAT(first, MatchesRegex("req_[A-Za-z0-9]{26}"));
    EXPECT_THAT(second, MatchesRegex("req_[A-Za-z0-9]{26}"));
    EXPECT_NE(first, second);
}

TEST_F(PipelineTest, EchoesTheIdOfTheClient)
{
    const std::string longest(64, 'x');
    for (const std::string& id : {std::string("a"), std::string("A.b-c_9"), longest})
        EXPECT_EQ(
            field_of(tested.ask("GET", "/v1/say/hi", {"X-Request-Id: " + id}), "X-Request-Id"), id);
}

TEST_F(PipelineTest, ReplacesAnIdThatCouldNotSafelyBeRepeated)
{
    for (const std::string& id : {std::string(), std::string(65, 'x'), std::string("a b"),
                                  std::string("<b>"), std::string("a\"b"), std::string("é")})
        EXPECT_THAT(
            field_of(tested.ask("GET", "/v1/say/hi", {"X-Request-Id: " + id}), "X-Request-Id"),
            MatchesRegex("req_[A-Za-z0-9]{26}"))
            << id;
}

TEST_F(PipelineTest, NamesTheRequestInProblems)
{
    const auto response = tested.ask("GET", "/nothing", {"X-Request-Id: mine"});
    const auto body = json_of(response);
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(field_of(response, "Content-Type"), "application/problem+json");
    EXPECT_EQ(body.at("request_id"), "mine");
    EXPECT_EQ(body.at("instance"), "urn:parley:request:mine");
    EXPECT_EQ(body.at("type"), "https://chat.example.org/problems/not_found");
}

TEST_F(PipelineTest, KeepsAnswersOutOfCachesAndFromBeingGuessedAt)
{
    for (const auto& response : {tested.ask("GET", "/v1/say/hi"), tested.ask("GET", "/v1/nothing"),
                                 tested.ask("OPTIONS", "/v1/say/hi")}) {
        EXPECT_EQ(field_of(response, "Cache-Control"), "no-store");
        EXPECT_EQ(field_of(response, "X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(field_of(response, "Strict-Transport-Security"), "(none)");
    }
    EXPECT_EQ(field_of(tested.ask("GET", "/cacheable"), "Cache-Control"), "max-age=60");
}

TEST_F(PipelineTest, TellsBrowsersToStayWithTls)
{
    RecordedExchange exchange("GET", "/v1/say/hi");
    exchange.client.secure = true;
    EXPECT_EQ(field_of(tested.serve(exchange), "Strict-Transport-Security"), "max-age=31536000");
}

TEST_F(PipelineTest, RefusesWhatNoRowAnswers)
{
    const auto refusal = [&](const char* method, const char* target) {
        const auto response = tested.ask(method, target);
        return std::to_string(response.status) + " " + code_of(response) + " " +
               field_of(response, "Allow");
    };
    EXPECT_EQ(refusal("GET", "/nothing"), "404 not_found (none)");
    EXPECT_EQ(refusal("POST", "/fail"), "405 method_not_allowed GET, HEAD, OPTIONS");
    EXPECT_EQ(refusal("TRACE", "/fail"), "405 method_not_allowed GET, HEAD, OPTIONS");
    EXPECT_EQ(refusal("CONNECT", "host:1"), "405 method_not_allowed GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(refusal("BREW", "/fail"), "501 not_implemented (none)");
    EXPECT_EQ(refusal("GET", "/v1/api/%"), "400 invalid_request (none)");
    EXPECT_EQ(refusal("GET", "/v1/say/hi?%"), "400 invalid_request (none)");
}

TEST_F(PipelineTest, AnswersOptionsAndHead)
{
    const auto options = tested.ask("OPTIONS", "/fail");
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(field_of(options, "Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(options.body, "");
    EXPECT_EQ(tested.ask("OPTIONS", "*").status, 204);
    EXPECT_EQ(tested.ask("HEAD", "/v1/say/hi").status, 200);
}

TEST_F(PipelineTest, TellsTheLogAndNotTheClientWhatAnEndpointThrew)
{
    for (const char* path : {"/throw", "/throw-later"}) {
        const auto response = tested.ask("GET", path);
        EXPECT_EQ(response.status, 500);
        EXPECT_EQ(code_of(response), "internal");
        EXPECT_THAT(response.body + response.fields.lines(), Not(HasSubstr("swordfish")));
        EXPECT_FALSE(response.close);
        const auto line = tested.log.lines("request failed").back();
        EXPECT_EQ(line.at("level"), "error");
        EXPECT_EQ(line.at("detail"), "password is swordfish");
        EXPECT_EQ(line.at("request_id"), json_of(response).at("request_id"));
    }
    EXPECT_EQ(tested.ask("GET", "/throw-number").status, 500);
    EXPECT_THAT(tested.log.lines("request failed"), SizeIs(3));
}

TEST_F(PipelineTest, KeepsTheDetailOfAFailureForTheLog)
{
    const auto failed = tested.ask("GET", "/fail");
    EXPECT_EQ(failed.status, 500);
    EXPECT_THAT(failed.body, Not(HasSubstr("disk")));
    EXPECT_THAT(failed.body, Not(HasSubstr("told")));
    const auto busy = tested.ask("GET", "/busy");
    EXPECT_EQ(json_of(busy).at("detail"), "Come back later.");
    EXPECT_THAT(busy.body, Not(HasSubstr("queue")));
    EXPECT_EQ(tested.log.lines("request failed").at(0).at("reason"), "told");
    EXPECT_EQ(tested.log.lines("request failed").at(0).at("detail"), "disk 7 is gone");
    EXPECT_EQ(tested.log.lines("request failed").at(1).at("detail"), "queue of 9");
}

TEST_F(PipelineTest, LogsEachRequestOnceByItsTemplate)
{
    tested.ask("GET", "/v1/say/secret", {"X-Request-Id: mine"});
    const auto lines = tested.log.lines("request served");
    ASSERT_THAT(lines, SizeIs(1));
    const auto& line = lines.front();
    EXPECT_EQ(line.at("level"), "info");
    EXPECT_EQ(line.at("method"), "GET");
    EXPECT_EQ(line.at("route"), "/v1/say/{word}");
    EXPECT_EQ(line.at("status"), 200);
    EXPECT_EQ(line.at("bytes"), 17);
    EXPECT_EQ(line.at("address"), "192.0.2.7");
    EXPECT_EQ(line.at("request_id"), "mine");
    EXPECT_TRUE(line.contains("ms"));
    EXPECT_THAT(tested.log.text(), Not(HasSubstr("secret")));
}

TEST_F(PipelineTest, LogsThePathOfWhatItDoesNotKnowButNeverItsQuery)
{
    tested.ask("GET", "/nothing/%0A" + std::string(1000, 'x') + "?token=secret");
    const auto line = tested.log.lines("request served").at(0);
    EXPECT_THAT(std::string(line.at("path").as_string()),
                testing::AllOf(testing::StartsWith("/nothing/%0Axxx"), SizeIs(256)));
    EXPECT_THAT(tested.log.text(), Not(HasSubstr("secret")));
}

TEST_F(PipelineTest, CountsRequestsByRouteAndStatus)
{
    tested.ask("GET", "/v1/say/a");
    tested.ask("HEAD", "/v1/say/b");
    tested.ask("GET", "/v1/say/b?x=1");
    tested.ask("GET", "/nothing");
    tested.ask("GET", "/nothing-else");
    tested.pipeline.refuse({Errc::uri_too_long, "long"}, {}, {});
    const std::string text = tested.metrics.text();
    EXPECT_THAT(text, HasSubstr("parley_http_requests_total{method=\"GET\",route=\"/v1/say/"
                                "{word}\",status=\"200\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("parley_http_requests_total{method=\"GET\",route=\"/v1/say/"
                                "{word}\",status=\"422\"} 1\n"));
    EXPECT_THAT(
        text,
        HasSubstr("parley_http_requests_total{method=\"\",route=\"(none)\",status=\"404\"} 2\n"));
    EXPECT_THAT(
        text,
        HasSubstr(
            "parley_http_requests_total{method=\"\",route=\"(refused)\",status=\"414\"} 1\n"));
    EXPECT_THAT(text,
                HasSubstr("parley_http_request_duration_seconds_count{class=\"general\"} 3\n"));
}

TEST_F(PipelineTest, RefusesWhatNeverBecameARequest)
{
    http::Peer peer{boost::asio::ip::make_address("192.0.2.9"), true};
    const auto response = tested.pipeline.refuse(
        {Errc::headers_too_large, "The header fields exceed 16 KiB."}, peer, {});
    EXPECT_EQ(response.status, 431);
    EXPECT_TRUE(response.close);
    EXPECT_EQ(field_of(response, "Content-Type"), "application/problem+json");
    EXPECT_EQ(field_of(response, "Strict-Transport-Security"), "max-age=31536000");
    EXPECT_EQ(field_of(response, "X-Content-Type-Options"), "nosniff");
    const auto body = json_of(response);
    EXPECT_EQ(body.at("code"), "headers_too_large");
    EXPECT_EQ(body.at("detail"), "The header fields exceed 16 KiB.");
    EXPECT_EQ(body.at("request_id").as_string(), field_of(response, "X-Request-Id"));
    const auto line = tested.log.lines("request refused").at(0);
    EXPECT_EQ(line.at("code"), "headers_too_large");
    EXPECT_EQ(line.at("status"), 431);
    EXPECT_EQ(line.at("address"), "192.0.2.9");
}

TEST_F(PipelineTest, IgnoresParametersThatNobodyKnowsOutsideV1)
{
    EXPECT_EQ(tested.ask("GET", "/cacheable?utm_source=x").status, 200);
    EXPECT_EQ(tested.ask("GET", "/cacheable?x").status, 200);
    EXPECT_EQ(tested.ask("GET", "/v1/say/hi?x").status, 422);
    EXPECT_EQ(tested.ask("GET", "/%76%31/say/hi?x").status, 422);
}

TEST_F(PipelineTest, RefusesABodyWhereNoneIsTaken)
{
    EXPECT_EQ(tested.ask("POST", "/v1/made").status, 200);
    const auto refused = tested.post_json("/v1/made", "{}");
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(json_of(refused).at("errors").at(0).at("pointer"), "#");
}

TEST(Pipeline, LeadsThroughThePathOfThePublicUrl)
{
    const auto asked_at = [](const char* url) {
        TestedPipeline tested({route<made>("POST", "/v1/made", "made", "", open)},
                              {.public_url = url});
        const auto response = tested.ask("POST", "/v1/made");
        return field_of(response, "Location") + " " + field_of(response, "Link");
    };
    EXPECT_EQ(asked_at("https://example.org/chat/"),
              "/chat/v1/made/1 </chat/v1/made?after=1>; rel=\"next\"");
    for (const char* url : {"", "https://example.org", "https://example.org:8443/"})
        EXPECT_EQ(asked_at(url), "/v1/made/1 </v1/made?after=1>; rel=\"next\"") << url;
}

TEST_F(PipelineTest, NamesNoRunToACallerWithoutRights)
{
    for (const std::string path : {"/v1/ask/", "/v1/openai/"}) {
        for (const auto& [word, status] :
             {std::pair("answer", 200), std::pair("failed", 502), std::pair("revoked", 401),
              std::pair("forbidden", 403)}) {
            const auto response = tested.ask("GET", path + word);
            const bool named = status == 200 || status == 502;
            EXPECT_EQ(response.status, status) << path;
            EXPECT_EQ(field_of(response, "X-Run-Id"), named ? "run_1" : "(none)") << status;
            EXPECT_EQ(field_of(response, "Idempotency-Replayed"), named ? "true" : "(none)");
            EXPECT_EQ(field_of(response, "X-Other"), "kept");
        }
    }
}

TEST_F(PipelineTest, ShapesARefusalByTheRouteThatWasAskedFor)
{
    http::RequestHead head;
    head.method = "POST";
    for (const char* path : {"/v1/chat/completions", "/%76%31/anything"}) {
        head.path = path;
        const auto response = tested.pipeline.refuse({Errc::not_implemented, "no"}, {}, head);
        EXPECT_EQ(response.status, 501);
        EXPECT_TRUE(json_of(response).contains("error")) << response.body;
    }
    head.path = "/v1/api/me";
    EXPECT_EQ(code_of(tested.pipeline.refuse({Errc::not_implemented, "no"}, {}, head)),
              "not_implemented");
}

}  // namespace
}  // namespace parley::api
