#include "oidc/attempts.hpp"

#include "oidc/person.hpp"

#include <gtest/gtest.h>

namespace parley::oidc {
namespace {

using std::chrono::minutes;

TEST(Attempts, AreOpenedByTheirStateUntilTheyExpire)
{
    const ManualClock clock;
    const Attempts attempts(Secret("key"), "https://id.example.org parley");
    const Attempt made = Attempts::make(clock.now());
    const std::string sealed = attempts.seal(made);
    EXPECT_EQ(sealed.find(made.verifier), sealed.npos);
    const auto opened = attempts.open(sealed, made.state, clock.now());
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->nonce, made.nonce);
    EXPECT_EQ(opened->verifier, made.verifier);
    EXPECT_EQ(opened->expires_at, made.expires_at);

    const auto refused = [&](const Attempts& by, const std::string& text, const std::string& state,
                             TimePoint now) {
        const auto result = by.open(text, state, now);
        return !result && result.error().code == Errc::invalid_credentials;
    };
    const auto now = clock.now();
    EXPECT_TRUE(refused(attempts, sealed, made.state, now + minutes(10)));
    EXPECT_FALSE(refused(attempts, sealed, made.state, now + minutes(9)));
    EXPECT_TRUE(refused(attempts, sealed, Attempts::make(now).state, now));
    EXPECT_TRUE(refused(attempts, sealed, "", now));
    EXPECT_TRUE(refused(attempts, "", made.state, now));
    EXPECT_TRUE(refused(attempts, "A" + sealed, made.state, now));
    EXPECT_TRUE(refused(attempts, sealed.substr(0, 40), made.state, now));
    EXPECT_TRUE(
        refused({Secret("other"), "https://id.example.org parley"}, sealed, made.state, now));
    EXPECT_TRUE(refused({Secret("key"), "https://id.example.org other"}, sealed, made.state, now));
}

TEST(Attempts, HaveTheChallengeOfTheStandard)
{
    // RFC 7636, appendix B.
    const Attempt attempt{.state = "",
                          .nonce = "",
                          .verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                          .expires_at = {}};
    EXPECT_EQ(attempt.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

TEST(Person, HasNamesFromTheClaims)
{
    const auto person = person_of({{"sub", "7"},
                                   {"preferred_username", "ana"},
                                   {"email", "a.n@example.org"},
                                   {"name", "Ana N."}},
                                  {});
    EXPECT_EQ(person->subject, "7");
    EXPECT_EQ(person->names, (std::vector<std::string>{"ana", "a.n"}));
    EXPECT_EQ(person->display_name, "Ana N.");
    EXPECT_EQ(person->role, std::nullopt);
    EXPECT_TRUE(person_of({{"sub", "7"}, {"email", 1}, {"name", nullptr}}, {})->names.empty());
}

TEST(Person, HasTheRoleOfTheirGroups)
{
    const Options options{.groups_claim = "teams", .operator_groups = {"ops", "root"}};
    const auto role = [&](boost::json::value teams) {
        return person_of({{"sub", "7"}, {"teams", std::move(teams)}}, options)->role;
    };
    EXPECT_EQ(role(boost::json::array{"all", "root"}), Role::operator_);
    EXPECT_EQ(role("ops"), Role::operator_);
    for (const boost::json::value& other :
         {boost::json::value(boost::json::array{"Ops", "ops ", 7}), boost::json::value(nullptr),
          boost::json::value("ops,root"), boost::json::value(boost::json::object{{"ops", true}})})
        EXPECT_EQ(role(other), Role::member);
    EXPECT_EQ(person_of({{"sub", "7"}, {"groups", "ops"}}, options)->role, Role::member);
}

TEST(Person, MustBeInAnAllowedGroupOrBeAnOperator)
{
    const Options options{.operator_groups = {"ops"}, .allowed_groups = {"team"}};
    const auto code = [&](boost::json::object claims) {
        const auto person = person_of(claims, options);
        return person ? std::optional<Errc>() : person.error().code;
    };
    EXPECT_EQ(code({{"groups", "team"}}), std::nullopt);
    EXPECT_EQ(code({{"groups", "ops"}}), std::nullopt);
    EXPECT_EQ(code({{"groups", "other"}}), Errc::invalid_credentials);
    EXPECT_EQ(code({}), Errc::invalid_credentials);
}

TEST(Person, IsCompleteWithANameAndTheGroupsThatCount)
{
    EXPECT_TRUE(is_complete({{"email", "a@b"}}, {}));
    EXPECT_FALSE(is_complete({{"name", "Ana"}}, {}));
    const Options options{.allowed_groups = {"team"}};
    EXPECT_FALSE(is_complete({{"email", "a@b"}}, options));
    EXPECT_TRUE(is_complete({{"email", "a@b"}, {"groups", nullptr}}, options));
}

}  // namespace
}  // namespace parley::oidc
