#include "auth/logins.hpp"

#include "auth/people_for_tests.hpp"

namespace parley::auth {
namespace {

using std::chrono::seconds;

class LoginsTest : public PeopleTest {
protected:
    Result<LoggedIn> refresh(const Secret& token)
    {
        const auto client = std::make_shared<Caller>(Caller{.scopes = {Scope::auth_login}});
        return block_on(logins.refresh(client, Secret(token.reveal()), origin));
    }
    bool is_stored(const Secret& token)
    {
        return block_on(store->tokens().find_token(hash_token(token.reveal()))).has_value();
    }
};

TEST_F(LoginsTest, GivesTokensThatAreGoodForWhatTheRoleMayDo)
{
    const auto ana = add("Ana", Role::operator_);
    const auto login = log_in("ANA");
    EXPECT_EQ(login.user.id, ana.id);
    EXPECT_EQ(login.scopes.text(),
              "chat:read chat:write account admin automation:read automation:write");
    const auto caller = identify(login.access).value();
    EXPECT_EQ(caller->user, ana.id);
    EXPECT_TRUE(caller->scopes.has(Scope::admin));
    EXPECT_FALSE(identify(login.refresh));
    EXPECT_EQ(last_action(), "login");
}

TEST_F(LoginsTest, RefusesUnknownWrongAndDisabledAlike)
{
    const auto ana = add("ana");
    add("root", Role::operator_);
    block_on(accounts.change(ana.id, {.disabled = true}, "test", origin)).value();
    add("bob");
    for (const auto& [name, word] : {std::pair("nobody", password), std::pair("bob", "wrong wrong"),
                                     std::pair("ana", password), std::pair("\x01", password)}) {
        const auto refused = block_on(logins.log_in(name, Secret(word), "", origin));
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::invalid_credentials);
        EXPECT_EQ(refused.error().message, invalid_credentials().message);
        EXPECT_EQ(last_action(), "login.refused");
    }
}

TEST_F(LoginsTest, EndsWithItsAccessTokensTime)
{
    add("ana");
    const auto login = log_in("ana");
    clock.advance(seconds(3599));
    EXPECT_TRUE(identify(login.access));
    clock.advance(seconds(1));
    EXPECT_FALSE(identify(login.access));
}

TEST_F(LoginsTest, IsRefreshedByATokenThatIsGoodOnce)
{
    add("ana");
    const auto first = log_in("ana");
    const auto second = refresh(first.refresh).value();
    EXPECT_TRUE(identify(first.access)) << "it lives out its time";
    EXPECT_TRUE(identify(second.access));
    // Two tabs had the same refresh token.
    const auto third = refresh(first.refresh).value();
    EXPECT_TRUE(identify(third.access));
    EXPECT_FALSE(refresh(first.access));
    EXPECT_FALSE(refresh(Secret("plr_nonsense")));
}

TEST_F(LoginsTest, EndsWholeWhenARefreshTokenIsUsedAgainLater)
{
    add("ana");
    const auto first = log_in("ana");
    const auto second = refresh(first.refresh).value();
    const auto other = log_in("ana");
    clock.advance(seconds(61));
    EXPECT_EQ(refresh(first.refresh).error().code, Errc::invalid_credentials);
    EXPECT_EQ(last_action(), "login.ended_by_reuse");
    EXPECT_FALSE(identify(second.access));
    EXPECT_FALSE(refresh(second.refresh));
    EXPECT_TRUE(identify(other.access)) << "another login is none of its business";
}

TEST_F(LoginsTest, IsRefreshedByItsOwnUserAlone)
{
    add("ana");
    add("bob");
    const auto ana = log_in("ana");
    const auto bob = log_in("bob");
    const auto caller = identify(bob.access).value();
    EXPECT_FALSE(block_on(logins.refresh(caller, Secret(ana.refresh.reveal()), origin)));
    EXPECT_TRUE(block_on(logins.refresh(caller, Secret(bob.refresh.reveal()), origin)));
}

TEST_F(LoginsTest, NeverOutlivesNinetyDays)
{
    add("ana");
    LoggedIn login = log_in("ana");
    for (int i = 0; i < 3; ++i) {
        clock.advance(std::chrono::hours(29 * 24));
        login = refresh(login.refresh).value();
    }
    EXPECT_EQ(login.refresh_lives, std::chrono::hours(3 * 24));
    clock.advance(std::chrono::hours(3 * 24));
    EXPECT_FALSE(refresh(login.refresh));
}

TEST_F(LoginsTest, LogsOutAtOnceAndOnlyItself)
{
    add("ana");
    const auto here = log_in("ana");
    const auto there = log_in("ana");
    ASSERT_TRUE(block_on(logins.log_out(identify(here.access).value(), origin)));
    EXPECT_FALSE(identify(here.access));
    EXPECT_FALSE(refresh(here.refresh));
    EXPECT_TRUE(identify(there.access));
    EXPECT_EQ(last_action(), "logout");
    const auto nobody = std::make_shared<Caller>();
    EXPECT_EQ(block_on(logins.log_out(nobody, origin)).error().code, Errc::insufficient_scope);
}

TEST_F(LoginsTest, TellsWhenATokenWasUsedToTheMinute)
{
    const auto ana = add("ana");
    const auto login = log_in("ana");
    const auto last_use = [&] {
        return block_on(store->tokens().list_tokens(ana.id, clock.now(), std::nullopt, 1))
            .value()
            .items.at(0)
            .last_used_at;
    };
    ASSERT_TRUE(identify(login.access));
    const auto first = last_use();
    ASSERT_TRUE(first);
    clock.advance(seconds(59));
    ASSERT_TRUE(identify(login.access));
    EXPECT_EQ(last_use(), first);
    clock.advance(seconds(1));
    ASSERT_TRUE(identify(login.access));
    EXPECT_EQ(last_use(), *first + seconds(60));
}

TEST_F(LoginsTest, RemovesNothingThatHasExpiredWhileTheClocksDisagree)
{
    add("ana");
    const auto old = log_in("ana");
    clock.advance(std::chrono::hours(2));
    clock.set(clock.now() + std::chrono::days(30));
    time.look();
    ASSERT_FALSE(time.may_sweep());
    EXPECT_FALSE(identify(old.access)) << "it has expired by the trusted time";
    log_in("ana");
    EXPECT_TRUE(is_stored(old.access));
    EXPECT_TRUE(is_stored(old.refresh));
    for (std::chrono::minutes passed{0}; passed <= std::chrono::hours(24); ++passed) {
        clock.advance(std::chrono::minutes(1));
        time.look();
    }
    ASSERT_TRUE(time.may_sweep());
    log_in("ana");
    EXPECT_FALSE(is_stored(old.access));
    EXPECT_FALSE(is_stored(old.refresh));
}

// Expiry alone takes no rights from a request that is being answered.
TEST_F(LoginsTest, KeepsExpiredTokensForLongerThanARequestWaits)
{
    add("ana");
    const auto expired = log_in("ana");
    clock.advance(std::chrono::hours(2));
    time.look();
    ASSERT_TRUE(time.may_sweep());
    log_in("ana");  // A login also sweeps.
    ASSERT_FALSE(identify(expired.access)) << "it has expired";
    EXPECT_TRUE(is_stored(expired.access));
    clock.advance(std::chrono::hours(25));
    time.look();
    log_in("ana");
    EXPECT_FALSE(is_stored(expired.access));
}

}  // namespace
}  // namespace parley::auth
