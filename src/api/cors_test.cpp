#include "api/cors.hpp"

#include "api/api.hpp"
#include "api/pipeline_for_tests.hpp"
#include "api/readiness.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

constexpr const char* ours = "Origin: https://chat.example.org";
constexpr const char* theirs = "Origin: https://evil.example.org";
constexpr const char* wants_post = "Access-Control-Request-Method: POST";

class CorsTest : public testing::Test {
protected:
    Readiness readiness;

    TestedPipeline allowing(std::vector<std::string> origins)
    {
        return {health_routes(),
                [this](Services& services) { services.add(readiness); },
                {.cors_origins = std::move(origins)}};
    }
};

TEST_F(CorsTest, IsOffByDefault)
{
    TestedPipeline tested = allowing({});
    const auto response = tested.ask("GET", "/healthz", {ours});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.fields.lines().find("Access-Control"), std::string::npos);
    EXPECT_EQ(response.fields.lines().find("Vary"), std::string::npos);
    const auto preflight = tested.ask("OPTIONS", "/healthz", {ours, wants_post});
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(preflight.fields.lines().find("Access-Control"), std::string::npos);
}

TEST_F(CorsTest, LetsListedOriginsReadAnswers)
{
    TestedPipeline tested = allowing({"https://other.example.org", "https://chat.example.org"});
    const auto response = tested.ask("GET", "/healthz", {ours});
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Origin"), "https://chat.example.org");
    EXPECT_EQ(field_of(response, "Vary"), "Origin");
    EXPECT_EQ(field_of(response, "Access-Control-Expose-Headers"),
              "X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, "
              "X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Location, Link, ETag, Allow, "
              "WWW-Authenticate, Preference-Applied, X-Should-Retry, X-Run-Id, "
              "Idempotency-Replayed, Deprecation, Sunset");
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Credentials"), "(none)");
}

TEST_F(CorsTest, LetsThemReadErrorsToo)
{
    TestedPipeline tested = allowing({"https://chat.example.org"});
    for (const auto& response :
         {tested.ask("GET", "/nothing", {ours}), tested.ask("PUT", "/healthz", {ours}),
          tested.ask("BREW", "/healthz", {ours}), tested.ask("GET", "/%zz", {ours})}) {
        EXPECT_GE(response.status, 400);
        EXPECT_EQ(field_of(response, "Access-Control-Allow-Origin"), "https://chat.example.org");
    }
}

TEST_F(CorsTest, LetsThemReadWhyARequestWasNoRequest)
{
    TestedPipeline tested = allowing({"https://chat.example.org"});
    http::RequestHead head;
    head.fields.push_back({"Origin", "https://chat.example.org"});
    const auto response = tested.pipeline.refuse({Errc::uri_too_long, "long"}, {}, head);
    EXPECT_EQ(response.status, 414);
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Origin"), "https://chat.example.org");
}

TEST_F(CorsTest, AnswersPreflights)
{
    TestedPipeline tested = allowing({"https://chat.example.org"});
    const auto response = tested.ask("OPTIONS", "/healthz", {ours, wants_post});
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(field_of(response, "Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Origin"), "https://chat.example.org");
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Headers"),
              "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, "
              "If-Match, Prefer");
    EXPECT_EQ(field_of(response, "Access-Control-Max-Age"), "600");
    EXPECT_EQ(field_of(response, "Vary"), "Origin");

    for (const std::string asked : {"x-stainless-os, authorization", "X-Anything-At-All"})
        EXPECT_EQ(
            field_of(tested.ask("OPTIONS", "/healthz",
                                {ours, wants_post, "Access-Control-Request-Headers: " + asked}),
                     "Access-Control-Allow-Headers"),
            asked);
    EXPECT_TRUE(field_of(tested.ask("OPTIONS", "/healthz",
                                    {ours, wants_post, "Access-Control-Request-Headers: <b>"}),
                         "Access-Control-Allow-Headers")
                    .starts_with("Authorization,"));

    const auto plain = tested.ask("OPTIONS", "/healthz", {ours});
    EXPECT_EQ(plain.status, 204);
    EXPECT_EQ(field_of(plain, "Access-Control-Allow-Methods"), "(none)");
    EXPECT_EQ(tested.ask("OPTIONS", "/nothing", {ours, wants_post}).status, 404);
}

TEST_F(CorsTest, ServesOtherOriginsWithoutEntitlingThem)
{
    TestedPipeline tested = allowing({"https://chat.example.org"});
    for (const char* origin :
         {theirs, "Origin: null", "Origin: https://chat.example.org.evil.org",
          "Origin: http://chat.example.org", "Origin: HTTPS://chat.example.org"}) {
        const auto response = tested.ask("GET", "/healthz", {origin});
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.fields.lines().find("Access-Control"), std::string::npos) << origin;
        EXPECT_EQ(field_of(response, "Vary"), "Origin");
        const auto preflight = tested.ask("OPTIONS", "/healthz", {origin, wants_post});
        EXPECT_EQ(preflight.fields.lines().find("Access-Control"), std::string::npos) << origin;
    }
    EXPECT_EQ(field_of(tested.ask("GET", "/healthz"), "Vary"), "Origin");
}

TEST_F(CorsTest, CanBeOpenToAll)
{
    TestedPipeline tested = allowing({"*"});
    const auto response = tested.ask("GET", "/healthz", {theirs});
    EXPECT_EQ(field_of(response, "Access-Control-Allow-Origin"), "*");
    const auto preflight = tested.ask("OPTIONS", "/healthz", {theirs, wants_post});
    EXPECT_EQ(field_of(preflight, "Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
}

TEST(Cors, RefusesWhatIsNoOrigin)
{
    for (const char* origin :
         {"", "chat.example.org", "https://", "https://chat.example.org/", "https://*.example.org",
          "https://Chat.example.org", "https://a b", "https://user@host", "://host", "null"})
        EXPECT_THROW(Cors({origin}), std::invalid_argument) << origin;
    EXPECT_NO_THROW(Cors({"http://localhost:5173", "https://[::1]:8080", "app://parley"}));
}

}  // namespace
}  // namespace parley::api
