// Rows that are called as hooks: their callers, and the order of the steps.
#include "api/pipeline_for_tests.hpp"
#include "auth/hook_authenticator.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

struct HookName {
    std::string hook;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("hook", &HookName::hook, "A hook."));
    }
};

Result<> call_it(HookTokenHolder /*caller*/, Path<HookName> /*path*/, FreeBody /*body*/)
{
    return {};
}
Result<> call_it_signed(HookSigner /*caller*/, Path<HookName> /*path*/, FreeBody body)
{
    return body.fields.contains("a") ? Result<>() : Error{Errc::internal, ""};
}

class NoUsers final : public auth::Authenticator {
public:
    Ready<Result<auth::CallerRef>> identify(std::string_view /*token*/) override
    {
        return auth::invalid_token();
    }
    Ready<Result<auth::CallerRef>> identify_again(const auth::CallerRef& caller) override
    {
        return caller;
    }
    Ready<bool> is_revoked(const auth::TokenHash& /*token*/) override { return false; }
};

// Knows one hook, one token and one signature.
class OneHook final : public auth::HookAuthenticator {
public:
    Task<Result<auth::CallerRef>> by_token(std::string hook, std::string token) override
    {
        if (hook != "hok_1" || token != "right") co_return auth::invalid_token();
        co_return caller();
    }
    Task<Result<auth::CallerRef>> by_signature(auth::SignedCall call) override
    {
        signed_body = call.body;
        if (call.hook != "hok_1" || call.github_signature != "right")
            co_return Error{Errc::invalid_credentials, "wrong"};
        co_return caller();
    }
    static auth::CallerRef caller()
    {
        return std::make_shared<auth::Caller>(auth::Caller{.user = "usr_1", .hook = "hok_1"});
    }
    std::string signed_body;
};

class HookRowsTest : public testing::Test {
protected:
    http::Response post(const std::string& path, std::vector<std::string> fields,
                        std::string body = R"({"a":1})")
    {
        fields.emplace_back("Content-Type: application/json");
        return tested.ask("POST", path, std::move(fields), std::move(body));
    }

    NoUsers authenticator;
    OneHook hooks;
    TestedPipeline tested{{route<call_it>("POST", "/v1/api/hooks/{hook}", "callIt", "",
                                          CountedAs{.of = limits::Class::hook}),
                           route<call_it_signed>("POST", "/hooks/{hook}", "callItSigned", "",
                                                 CountedAs{.of = limits::Class::hook})},
                          {.authenticator = &authenticator, .hook_authenticator = &hooks}};
};

TEST_F(HookRowsTest, TakeTheTokenOfTheHookInThePath)
{
    EXPECT_EQ(post("/v1/api/hooks/hok_1", {"Authorization: Bearer right"}).status, 204);
    for (const char* path : {"/v1/api/hooks/hok_1", "/v1/api/hooks/hok_2"})
        EXPECT_EQ(code_of(post(path, {"Authorization: Bearer wrong"})), "invalid_token");
    EXPECT_EQ(code_of(post("/v1/api/hooks/hok_2", {"Authorization: Bearer right"})),
              "invalid_token");
    EXPECT_EQ(code_of(post("/v1/api/hooks/hok_1", {})), "missing_token");
}

TEST_F(HookRowsTest, TakeASignatureOfTheBodyAsItCame)
{
    const std::string body = "{ \"a\" : 1 }";
    EXPECT_EQ(post("/hooks/hok_1", {"X-Hub-Signature-256: right"}, body).status, 204);
    EXPECT_EQ(hooks.signed_body, body);
    EXPECT_EQ(code_of(post("/hooks/hok_1", {"X-Hub-Signature-256: wrong"})), "invalid_credentials");
    EXPECT_EQ(code_of(post("/hooks/hok_1", {"Authorization: Bearer right"})),
              "invalid_credentials");
    // Two of them are ambiguous.
    EXPECT_EQ(
        code_of(post("/hooks/hok_1", {"X-Hub-Signature-256: right", "X-Hub-Signature-256: right"})),
        "invalid_credentials");
}

TEST_F(HookRowsTest, ReadABodyAfterItsSignature)
{
    EXPECT_EQ(code_of(post("/hooks/hok_1", {"X-Hub-Signature-256: wrong"}, "{")),
              "invalid_credentials");
    EXPECT_EQ(code_of(post("/hooks/hok_1", {"X-Hub-Signature-256: right"}, "{")), "invalid_json");
    EXPECT_EQ(code_of(post("/hooks/hok_1", {"X-Hub-Signature-256: right"}, "[]")),
              "validation_failed");
}

TEST_F(HookRowsTest, NeedAnAuthenticatorOfTheirOwn)
{
    EXPECT_THROW(TestedPipeline({route<call_it>("POST", "/v1/api/hooks/{hook}", "callIt", "")},
                                {.authenticator = &authenticator}),
                 std::logic_error);
}

}  // namespace
}  // namespace parley::api
