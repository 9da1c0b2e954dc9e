#include "automation/hook_secrets.hpp"

#include "auth/token_text.hpp"
#include "base/hex.hpp"
#include "webhook/signature.hpp"

#include <gtest/gtest.h>
#include <sodium.h>

#include <array>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class HookSecretsTest : public testing::Test {
protected:
    static constexpr std::string_view body = R"({"a":1})";

    // A call that is signed with this secret.
    auth::SignedCall signed_with(const NewHook& made)
    {
        if (made.hook.verify == HookVerification::github)
            return {.hook = made.hook.id,
                    .webhook_id = {},
                    .webhook_timestamp = {},
                    .webhook_signature = {},
                    .github_signature = github_signature(made.secret),
                    .body = body};
        const std::array only{webhook::SigningSecret::parse(made.secret).value()};
        head = webhook::sign("msg_1", now, body, only);
        return {.hook = made.hook.id,
                .webhook_id = head.id,
                .webhook_timestamp = head.timestamp,
                .webhook_signature = head.signature,
                .github_signature = {},
                .body = body};
    }
    bool accepts(const store::Hook& hook, const auth::SignedCall& call, TimePoint at)
    {
        return accepts(hook, call, {.trusted = at, .wall = at});
    }
    bool accepts(const store::Hook& hook, const auth::SignedCall& call, CallTime at)
    {
        return secrets.accepts_signature(hook, call, at).value();
    }
    std::string_view github_signature(const std::string& secret)
    {
        crypto_auth_hmacsha256_state state;
        crypto_auth_hmacsha256_init(&state, octets(secret), secret.size());
        crypto_auth_hmacsha256_update(&state, octets(body), body.size());
        std::array<unsigned char, 32> hash{};
        crypto_auth_hmacsha256_final(&state, hash.data());
        signature = "sha256=" + to_hex(hash);
        return signature;
    }
    static const unsigned char* octets(std::string_view text)
    {
        return reinterpret_cast<const unsigned char*>(text.data());
    }

    const webhook::Sealer sealer{Secret("a key of the server")};
    const HookSecrets secrets{sealer};
    const TimePoint now{std::chrono::hours(400'000)};
    webhook::SignedHead head;
    std::string signature;
};

TEST_F(HookSecretsTest, ATokenIsStoredAsItsHash)
{
    const NewHook made = secrets.make(HookVerification::token, now);
    EXPECT_TRUE(made.hook.id.starts_with("hok_"));
    EXPECT_EQ(auth::token_kind(made.secret), auth::TokenKind::hook);
    EXPECT_EQ(made.hook.hint, auth::token_hint(made.secret));
    EXPECT_EQ(made.hook.secret.size(), 32U);
    EXPECT_TRUE(HookSecrets::accepts_token(made.hook, made.secret, now));
    const NewHook other = secrets.make(HookVerification::token, now);
    EXPECT_NE(other.secret, made.secret);
    for (const std::string& wrong : {other.secret, std::string(), made.hook.secret})
        EXPECT_FALSE(HookSecrets::accepts_token(made.hook, wrong, now));
    EXPECT_FALSE(accepts(made.hook, signed_with(secrets.make(HookVerification::github, now)), now));
}

TEST_F(HookSecretsTest, ASecretForSignaturesIsSealed)
{
    for (const auto verify : {HookVerification::standard_webhooks, HookVerification::github}) {
        const NewHook made = secrets.make(verify, now);
        EXPECT_EQ(made.hook.secret.find(made.secret), std::string::npos);
        EXPECT_EQ(made.hook.hint.substr(made.hook.hint.size() - 4),
                  made.secret.substr(made.secret.size() - 4));
        EXPECT_TRUE(accepts(made.hook, signed_with(made), now));
        EXPECT_FALSE(accepts(made.hook, signed_with(secrets.make(verify, now)), now));
        EXPECT_FALSE(HookSecrets::accepts_token(made.hook, made.secret, now));
        // For another hook, or with another key of the server, it cannot be opened.
        store::Hook moved = made.hook;
        moved.id = "hok_other";
        EXPECT_FALSE(secrets.accepts_signature(moved, signed_with(made), {now, now}));
        const webhook::Sealer another{Secret("another key")};
        EXPECT_FALSE(
            HookSecrets(another).accepts_signature(made.hook, signed_with(made), {now, now}));
    }
}

TEST_F(HookSecretsTest, ASignatureIsOfItsKind)
{
    const NewHook standard = secrets.make(HookVerification::standard_webhooks, now);
    auth::SignedCall call = signed_with(standard);
    store::Hook as_github = standard.hook;
    as_github.verify = HookVerification::github;
    EXPECT_FALSE(accepts(as_github, call, now));
    EXPECT_TRUE(accepts(standard.hook, call, now + 5min));
    EXPECT_FALSE(accepts(standard.hook, call, now + 6min));
    EXPECT_FALSE(accepts(standard.hook, call, now - 6min));
    call.body = "{}";
    EXPECT_FALSE(accepts(standard.hook, call, now));
}

TEST_F(HookSecretsTest, TheOldSecretWorksUntilTheEndOfTheOverlap)
{
    const NewHook first = secrets.make(HookVerification::token, now);
    const NewHook second = secrets.rotated(first.hook, 10s, now).value();
    EXPECT_EQ(second.hook.id, first.hook.id);
    EXPECT_TRUE(HookSecrets::accepts_token(second.hook, second.secret, now));
    EXPECT_TRUE(HookSecrets::accepts_token(second.hook, first.secret, now + 10s - 1ms));
    EXPECT_FALSE(HookSecrets::accepts_token(second.hook, first.secret, now + 10s));
    const NewHook third = secrets.rotated(second.hook, 0s, now).value();
    EXPECT_TRUE(third.hook.old.empty());
    EXPECT_FALSE(HookSecrets::accepts_token(third.hook, second.secret, now));
    EXPECT_FALSE(HookSecrets::accepts_token(third.hook, first.secret, now));
    EXPECT_TRUE(HookSecrets::accepts_token(third.hook, third.secret, now));

    for (const auto verify : {HookVerification::standard_webhooks, HookVerification::github}) {
        const NewHook old = secrets.make(verify, now);
        const NewHook fresh = secrets.rotated(old.hook, 10s, now).value();
        EXPECT_TRUE(accepts(fresh.hook, signed_with(fresh), now + 10s));
        EXPECT_TRUE(accepts(fresh.hook, signed_with(old), now + 9s));
        EXPECT_FALSE(accepts(fresh.hook, signed_with(old), now + 10s));
    }
}

TEST_F(HookSecretsTest, ASecretEndsByTheTrustedTimeAndATimestampIsOfTheWallClock)
{
    const NewHook old = secrets.make(HookVerification::standard_webhooks, now);
    const NewHook fresh = secrets.rotated(old.hook, 10s, now).value();
    const TimePoint set_back = now - 1h;
    EXPECT_TRUE(accepts(fresh.hook, signed_with(old), {.trusted = now + 9s, .wall = now}));
    EXPECT_FALSE(accepts(fresh.hook, signed_with(old), {.trusted = now + 10s, .wall = now}));
    EXPECT_TRUE(accepts(fresh.hook, signed_with(fresh), {.trusted = now + 24h, .wall = now}));
    EXPECT_FALSE(accepts(fresh.hook, signed_with(fresh), {.trusted = now, .wall = set_back}));
}

TEST_F(HookSecretsTest, ASecondRotationDoesNotEndTheFirstOverlap)
{
    const NewHook first = secrets.make(HookVerification::token, now);
    const NewHook second = secrets.rotated(first.hook, 60s, now).value();
    const NewHook third = secrets.rotated(second.hook, 10s, now).value();
    EXPECT_TRUE(HookSecrets::accepts_token(third.hook, first.secret, now + 59s));
    EXPECT_TRUE(HookSecrets::accepts_token(third.hook, second.secret, now + 9s));
    EXPECT_FALSE(HookSecrets::accepts_token(third.hook, second.secret, now + 10s));
    EXPECT_FALSE(HookSecrets::accepts_token(third.hook, first.secret, now + 60s));
}

}  // namespace
}  // namespace parley::automation
