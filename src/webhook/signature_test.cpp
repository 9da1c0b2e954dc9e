#include "webhook/signature.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <vector>

namespace parley::webhook {
namespace {

using std::chrono::seconds;

// From the reference libraries of Standard Webhooks.
constexpr const char* known_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* known_body = R"({"test": 2432232314})";
constexpr TimePoint known_time{seconds(1614265330)};

std::vector<SigningSecret> secrets(std::initializer_list<const char*> texts)
{
    std::vector<SigningSecret> parsed;
    for (const char* text : texts) parsed.push_back(SigningSecret::parse(text).value());
    return parsed;
}

SignedHead known_head()
{
    return {.id = "msg_p5jXN8AQM9LWM0D4loKWxJek",
            .timestamp = "1614265330",
            .signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="};
}

TEST(StandardWebhooks, SignAsTheReferenceDoes)
{
    const auto own = secrets({known_secret});
    const SignedHead head = sign(known_head().id, known_time, known_body, own);
    EXPECT_EQ(head.timestamp, known_head().timestamp);
    EXPECT_EQ(head.signature, known_head().signature);
    EXPECT_TRUE(verify(head, known_body, own, known_time));
}

TEST(StandardWebhooks, NoticeEveryChange)
{
    const auto own = secrets({known_secret});
    const auto holds = [&](const SignedHead& head) {
        return verify(head, known_body, own, known_time);
    };
    EXPECT_TRUE(holds(known_head()));
    EXPECT_FALSE(verify(known_head(), R"({"test": 2432232315})", own, known_time));
    EXPECT_FALSE(verify(known_head(), "", own, known_time));
    for (const char* signature : {"", " ", "v1,", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                                  "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                                  "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE",
                                  "v1,h0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}) {
        SignedHead head = known_head();
        head.signature = signature;
        EXPECT_FALSE(holds(head)) << signature;
    }
    for (const char* timestamp : {"", "1614265331", "01614265330", "+1614265330", "1614265330 ",
                                  "1614265330.0", "-1", "99999999999999999999", "x"}) {
        SignedHead head = known_head();
        head.timestamp = timestamp;
        EXPECT_FALSE(holds(head)) << timestamp;
    }
    SignedHead other = known_head();
    other.id = "";
    EXPECT_FALSE(holds(other));
    EXPECT_FALSE(verify(known_head(), known_body, {}, known_time));
}

TEST(StandardWebhooks, TolerateFiveMinutesOnBothSides)
{
    const auto own = secrets({known_secret});
    for (const int far : {-300, 0, 300})
        EXPECT_TRUE(verify(known_head(), known_body, own, known_time + seconds(far))) << far;
    for (const int far : {-301, 301, 360, -86400})
        EXPECT_FALSE(verify(known_head(), known_body, own, known_time + seconds(far))) << far;
}

// Moving a dot from the timestamp to the id would leave the signed text unchanged.
TEST(StandardWebhooks, CannotBeReadInTwoWays)
{
    const auto own = secrets({known_secret});
    SignedHead head = sign("msg.1614265330", known_time, known_body, own);
    EXPECT_FALSE(verify(head, known_body, own, known_time));
}

TEST(StandardWebhooks, RotateSecrets)
{
    const char* newer = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const auto both = secrets({newer, known_secret});
    const SignedHead head = sign("msg_1", known_time, "{}", both);
    EXPECT_EQ(std::count(head.signature.begin(), head.signature.end(), ' '), 1);
    EXPECT_TRUE(head.signature.starts_with(both[0].sign("msg_1", head.timestamp, "{}") + " "));
    EXPECT_TRUE(verify(head, "{}", secrets({newer}), known_time));
    EXPECT_TRUE(verify(head, "{}", secrets({known_secret}), known_time));
    const SignedHead old = sign("msg_1", known_time, "{}", secrets({known_secret}));
    EXPECT_TRUE(verify(old, "{}", both, known_time));
    EXPECT_FALSE(verify(old, "{}", secrets({newer}), known_time));
}

TEST(StandardWebhooks, LookAtFewSignatures)
{
    const auto own = secrets({known_secret});
    SignedHead head = known_head();
    std::string others;
    for (int i = 0; i < 15; ++i) others += "v1,no ";
    head.signature = others + known_head().signature;
    EXPECT_TRUE(verify(head, known_body, own, known_time));
    head.signature = "v1,no " + others + known_head().signature;
    EXPECT_FALSE(verify(head, known_body, own, known_time));
}

TEST(SigningSecret, IsReadAsItIsWritten)
{
    EXPECT_EQ(SigningSecret::parse(known_secret)->text().reveal(), known_secret);
    EXPECT_EQ(SigningSecret::parse(known_secret)->hint(), "whsec_…LaSw");
    const SigningSecret made = SigningSecret::make();
    EXPECT_NE(made.text().reveal(), SigningSecret::make().text().reveal());
    EXPECT_TRUE(SigningSecret::parse(made.text().reveal()));
}

TEST(SigningSecret, RefusesWhatIsNone)
{
    for (const std::string text :
         {"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa=",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS-",
          "whsec_ MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
        EXPECT_FALSE(SigningSecret::parse(text)) << text;
    EXPECT_FALSE(SigningSecret::parse("whsec_" + std::string(88, 'A')));  // 66 bytes.
    EXPECT_TRUE(SigningSecret::parse("whsec_" + std::string(84, 'A')));   // 63 bytes.
    EXPECT_FALSE(SigningSecret::parse("whsec_" + std::string(28, 'A')));  // 21 bytes.
}

// The example in GitHub's documentation.
TEST(GithubSignature, IsVerified)
{
    const Secret secret("It's a Secret to Everybody");
    const std::string right =
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    EXPECT_TRUE(verify_github(right, "Hello, World!", secret));
    EXPECT_FALSE(verify_github(right, "Hello, World?", secret));
    EXPECT_FALSE(verify_github(right.substr(7), "Hello, World!", secret));
    EXPECT_FALSE(verify_github(right + "0", "Hello, World!", secret));
    EXPECT_FALSE(verify_github("sha1=" + right.substr(7), "Hello, World!", secret));
    EXPECT_FALSE(verify_github("", "Hello, World!", secret));
    EXPECT_FALSE(verify_github(right, "Hello, World!", Secret("another")));
    EXPECT_FALSE(verify_github(right, "Hello, World!", Secret()));
}

}  // namespace
}  // namespace parley::webhook
