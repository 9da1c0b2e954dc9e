#include "auth/identities.hpp"

#include "auth/people_for_tests.hpp"

#include <algorithm>
#include <set>

namespace parley::auth {
namespace {

class IdentitiesTest : public PeopleTest {
protected:
    static IdentifiedPerson person(std::string subject, std::vector<std::string> names = {"ana"},
                                   std::optional<Role> role = {})
    {
        return {.identity = {"https://id.example.org", std::move(subject)},
                .names = std::move(names),
                .display_name = "Ana A.",
                .role = role};
    }
    LoggedIn enter(IdentifiedPerson who)
    {
        return block_on(identities.log_in(std::move(who), "laptop", origin)).value();
    }
    std::vector<std::string> actions()
    {
        std::vector<std::string> found;
        for (const auto& event : block_on(store->audit().list(std::nullopt, 100)).value().items)
            found.push_back(event.actor == "oidc" ? "oidc " + event.action : event.action);
        std::ranges::reverse(found);
        return found;
    }
};

TEST_F(IdentitiesTest, MakeAUserAtTheFirstLoginAndFindItLater)
{
    const LoggedIn first = enter(person("1"));
    EXPECT_EQ(first.user.username, "ana");
    EXPECT_EQ(first.user.display_name, "Ana A.");
    EXPECT_EQ(first.user.role, Role::member);
    EXPECT_EQ(first.user.password_hash, "");
    EXPECT_EQ(identify(first.access).value()->user, first.user.id);
    const LoggedIn second = enter(person("1", {"renamed"}));
    EXPECT_EQ(second.user.id, first.user.id);
    EXPECT_EQ(second.user.username, "ana") << "names do not follow the provider";
    EXPECT_EQ(actions(),
              (std::vector<std::string>{"oidc user.created", "login.by_oidc", "login.by_oidc"}));
}

TEST_F(IdentitiesTest, TakeOverNoUserByName)
{
    const store::User own = add("Ana");
    std::set<std::string> names;
    for (int i = 0; i < 8; ++i) {
        const LoggedIn login = enter(person(std::to_string(i)));
        EXPECT_NE(login.user.id, own.id);
        names.insert(login.user.username);
    }
    EXPECT_EQ(names.size(), 8U);
    EXPECT_TRUE(names.contains("ana-2"));
    EXPECT_TRUE(names.contains("ana-5"));
    EXPECT_EQ(log_in("ana").user.id, own.id) << "with the password";
}

TEST_F(IdentitiesTest, ChooseTheFirstNameThatIsValid)
{
    EXPECT_EQ(enter(person("1", {"", "a\nb", " c", "d"})).user.username, "d");
    EXPECT_EQ(enter(person("2", {"\xff"})).user.username, "user");
    EXPECT_EQ(enter(person("3", {})).user.username, "user-2");
    IdentifiedPerson odd = person("4", {std::string(1000, 'x')});
    odd.display_name = "a\nb";
    EXPECT_EQ(enter(odd).user.display_name, "user-3");
    EXPECT_EQ(enter(person("5", {std::string(128, 'y')})).user.username, std::string(128, 'y'));
    EXPECT_EQ(enter(person("6", {std::string(128, 'y')})).user.username, "user-4")
        << "an ending would be too long";
}

TEST_F(IdentitiesTest, FollowTheRoleOfTheProvider)
{
    EXPECT_EQ(enter(person("1", {"ana"}, Role::operator_)).user.role, Role::operator_);
    const LoggedIn same = enter(person("1", {"ana"}));
    EXPECT_EQ(same.user.role, Role::operator_) << "the provider says nothing";
    EXPECT_TRUE(same.scopes.has(Scope::admin));
    const LoggedIn demoted = enter(person("1", {"ana"}, Role::member));
    EXPECT_EQ(demoted.user.role, Role::member);
    EXPECT_FALSE(demoted.scopes.has(Scope::admin));
    EXPECT_FALSE(identify(same.access).value()->scopes.has(Scope::admin)) << "at once";
    EXPECT_EQ(enter(person("1", {"ana"}, Role::operator_)).user.role, Role::operator_);
    EXPECT_EQ(actions(),
              (std::vector<std::string>{"oidc user.created", "login.by_oidc", "login.by_oidc",
                                        "oidc user.demoted", "login.by_oidc", "oidc user.promoted",
                                        "login.by_oidc"}));
}

TEST_F(IdentitiesTest, DoNotDemoteTheLastOperatorWithAPassword)
{
    const LoggedIn ana = enter(person("1", {"ana"}, Role::operator_));
    ASSERT_TRUE(
        block_on(accounts.change(ana.user.id, {.password = Secret(password)}, "test", origin)));
    EXPECT_EQ(enter(person("1", {"ana"}, Role::member)).user.role, Role::operator_);
    add("root", Role::operator_);
    EXPECT_EQ(enter(person("1", {"ana"}, Role::member)).user.role, Role::member);
}

TEST_F(IdentitiesTest, StayRefusedWhileDisabled)
{
    const LoggedIn ana = enter(person("1"));
    ASSERT_TRUE(block_on(accounts.change(ana.user.id, {.disabled = true}, "test", origin)));
    const auto refused = block_on(identities.log_in(person("1"), "", origin));
    EXPECT_EQ(refused.error().code, Errc::invalid_credentials);
    EXPECT_EQ(last_action(), "login.by_oidc_refused");
    EXPECT_FALSE(identify(ana.access));
    ASSERT_TRUE(block_on(accounts.change(ana.user.id, {.disabled = false}, "test", origin)));
    EXPECT_EQ(enter(person("1")).user.id, ana.user.id);
}

TEST_F(IdentitiesTest, HaveNoPassword)
{
    enter(person("1"));
    for (const char* tried : {"", password}) {
        const auto refused = block_on(logins.log_in("ana", Secret(tried), "", origin));
        EXPECT_EQ(refused.error().code, Errc::invalid_credentials);
        EXPECT_EQ(refused.error().message, invalid_credentials().message);
    }
}

TEST_F(IdentitiesTest, UseAnAttemptOnce)
{
    const store::CodeHash attempt{7};
    EXPECT_TRUE(block_on(identities.use_attempt(attempt, clock.now() + std::chrono::minutes(1))));
    EXPECT_EQ(block_on(identities.use_attempt(attempt, clock.now() + std::chrono::minutes(1)))
                  .error()
                  .code,
              Errc::invalid_credentials);
}

}  // namespace
}  // namespace parley::auth
