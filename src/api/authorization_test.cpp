#include "api/authorization.hpp"

#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

Result<> for_anybody() { return {}; }
Result<> for_users(SignedIn caller)
{
    return caller->actor == "ana" ? Result<>() : Error{Errc::internal, ""};
}
Result<> for_token_holders(TokenHolder /*caller*/) { return {}; }
Result<> for_operators(With<auth::Scope::admin> /*caller*/) { return {}; }

std::vector<Route> routes_by_right()
{
    return {
        route<for_anybody>("GET", "/open", "forAnybody", "Open", open),
        route<for_users>("GET", "/v1/users", "forUsers", "Signed in"),
        route<for_token_holders>("GET", "/v1/tokens", "forTokenHolders", "Any token"),
        route<for_operators>("GET", "/v1/admin", "forOperators", "Operators"),
    };
}

// Knows two tokens and counts its calls.
class TestAuthenticator final : public auth::Authenticator {
public:
    Ready<Result<auth::CallerRef>> identify(std::string_view token) override
    {
        using auth::Scope;
        if (token != "recalled") return look_up(std::string(token));
        return std::make_shared<const auth::Caller>(
            auth::Caller{.user = "usr_1", .actor = "ana", .scopes = {Scope::chat_read}});
    }
    Task<Result<auth::CallerRef>> look_up(std::string token)
    {
        ++asked;
        using auth::Scope;
        const auto caller = [](std::string user, auth::Scopes scopes) -> auth::CallerRef {
            return std::make_shared<auth::Caller>(
                auth::Caller{.user = std::move(user), .actor = "ana", .scopes = scopes});
        };
        if (token == "ana") co_return caller("usr_1", {Scope::chat_read});
        if (token == "root") co_return caller("", {Scope::admin});
        if (token == "client") co_return caller("", {Scope::auth_login});
        co_return auth::invalid_token();
    }
    Ready<Result<auth::CallerRef>> identify_again(const auth::CallerRef& caller) override
    {
        return caller;
    }
    Ready<bool> is_revoked(const auth::TokenHash& /*token*/) override { return false; }
    int asked = 0;
};

class AuthorizationTest : public testing::Test {
protected:
    http::Response get(std::string path, std::vector<std::string> fields = {})
    {
        return tested.ask("GET", std::move(path), std::move(fields));
    }

    TestAuthenticator authenticator;
    TestedPipeline tested{routes_by_right(),
                          {.contact = "it@example.org", .authenticator = &authenticator}};
};

TEST_F(AuthorizationTest, LetsAValidTokenIn)
{
    EXPECT_EQ(get("/v1/users", {"Authorization: Bearer ana"}).status, 204);
    EXPECT_EQ(get("/v1/users", {"authorization: bearer   ana"}).status, 204);
    EXPECT_EQ(get("/v1/admin", {"Authorization: Bearer root"}).status, 204);
}

TEST_F(AuthorizationTest, AsksNobodyWhereTheCallerIsKnown)
{
    EXPECT_EQ(get("/v1/users", {"Authorization: Bearer recalled"}).status, 204);
    EXPECT_EQ(authenticator.asked, 0);
}

TEST_F(AuthorizationTest, TellsUsersFromTokensOfNobody)
{
    EXPECT_EQ(get("/v1/tokens", {"Authorization: Bearer client"}).status, 204);
    const auto response = get("/v1/users", {"Authorization: Bearer client"});
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(json_of(response).at("required_scope"), "account");
    EXPECT_EQ(get("/v1/admin", {"Authorization: Bearer client"}).status, 403);
}

TEST_F(AuthorizationTest, WantsATokenAndSaysWhomToAsk)
{
    for (const char* field : {"X-Other: 1", "Authorization: Basic YTpi", "Authorization: Bearer",
                              "Authorization: Bearer  ", "Authorization: ana"}) {
        const auto response = get("/v1/users", {field});
        EXPECT_EQ(response.status, 401) << field;
        EXPECT_EQ(code_of(response), "missing_token") << field;
        EXPECT_EQ(field_of(response, "WWW-Authenticate"), "Bearer realm=\"parley\"");
        EXPECT_EQ(json_of(response).at("contact"), "it@example.org");
    }
    EXPECT_EQ(authenticator.asked, 0);
}

TEST_F(AuthorizationTest, RefusesATokenThatIsNotValid)
{
    const auto response = get("/v1/users", {"Authorization: Bearer ' OR 1=1--"});
    EXPECT_EQ(response.status, 401);
    EXPECT_EQ(code_of(response), "invalid_token");
    EXPECT_EQ(field_of(response, "WWW-Authenticate"),
              "Bearer realm=\"parley\", error=\"invalid_token\"");
}

TEST_F(AuthorizationTest, SaysWhichScopeATokenLacks)
{
    const auto response = get("/v1/admin", {"Authorization: Bearer ana"});
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(code_of(response), "insufficient_scope");
    EXPECT_EQ(json_of(response).at("required_scope"), "admin");
    EXPECT_EQ(field_of(response, "WWW-Authenticate"),
              "Bearer realm=\"parley\", error=\"insufficient_scope\", scope=\"admin\"");
    EXPECT_FALSE(json_of(response).contains("contact"));
}

TEST_F(AuthorizationTest, RefusesTwoTokens)
{
    const auto response =
        get("/v1/users", {"Authorization: Bearer ana", "Authorization: Bearer ana"});
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(code_of(response), "invalid_request");
}

TEST_F(AuthorizationTest, IgnoresATokenInTheAddress)
{
    EXPECT_EQ(code_of(get("/v1/users?access_token=ana&token=ana")), "missing_token");
}

TEST_F(AuthorizationTest, TellsNothingOfPathsAndMethodsWithoutAToken)
{
    EXPECT_EQ(get("/v1/nothing").status, 401);
    EXPECT_EQ(get("/v1").status, 401);
    EXPECT_EQ(tested.ask("DELETE", "/v1/users").status, 401);
    EXPECT_EQ(get("/v1/nothing", {"Authorization: Bearer ana"}).status, 404);
    EXPECT_EQ(tested.ask("DELETE", "/v1/users", {"Authorization: Bearer ana"}).status, 405);
}

TEST_F(AuthorizationTest, AsksForNoTokenElsewhere)
{
    EXPECT_EQ(get("/open", {"Authorization: Bearer nonsense"}).status, 204);
    EXPECT_EQ(get("/nothing").status, 404);
    EXPECT_EQ(get("/v10").status, 404);
    EXPECT_EQ(tested.ask("OPTIONS", "/v1/users").status, 204);
    EXPECT_EQ(authenticator.asked, 0);
}

TEST_F(AuthorizationTest, ComesBeforeTheBody)
{
    RecordedExchange exchange("GET", "/v1/users", {}, "{}");
    EXPECT_EQ(tested.serve(exchange).status, 401);
    EXPECT_FALSE(exchange.body_was_read);
}

TEST(Authorization, NeedsAGateWhereARowAsksWhoCalls)
{
    EXPECT_THROW(TestedPipeline{routes_by_right()}, std::logic_error);
}

}  // namespace
}  // namespace parley::api
