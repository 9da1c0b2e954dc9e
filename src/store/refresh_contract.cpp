// The contract tests of refresh tokens: a login goes on with them, and ends when one was stolen.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class RefreshContract : public ContractTest {
protected:
    const User ana = added_user("ana");

    Token found(const Token& token)
    {
        return block_on(tokens().find_token(token.hash)).value().token;
    }
    Errc refusal_of(const Token& shown) { return refresh(shown).error().code; }
    auto logins() { return listed(ana.id).items; }
};

TEST_F(RefreshContract, GivesSuccessorsOfTheToken)
{
    const auto begun = begun_login(ana, "phone");
    clock.advance(10s);
    Refresh request = showing(begun.refresh);
    request.access.scopes = 31;  // The user became an operator.
    const Refreshed refreshed = block_on(tokens().refresh_login(request)).value();

    EXPECT_EQ(refreshed.user.id, ana.id);
    EXPECT_EQ(refreshed.user.last_login_at, begun.login.created_at);
    Login login = begun.login;
    login.hint = request.access.hint;
    login.scopes = 31;
    login.last_used_at = request.now;
    EXPECT_EQ(refreshed.login, login);
    EXPECT_EQ(refreshed.access.id, request.access.id);
    EXPECT_EQ(refreshed.access.user, ana.id);
    EXPECT_EQ(refreshed.access.login, begun.login.id);
    EXPECT_EQ(refreshed.access.expires_at, request.access.expires_at);
    EXPECT_EQ(found(request.access), refreshed.access);
    EXPECT_EQ(found(request.refresh), refreshed.refresh);
    ASSERT_EQ(logins().size(), 1U);
    EXPECT_EQ(logins().at(0).hint, login.hint);
    EXPECT_EQ(logins().at(0).scopes, 31);
    EXPECT_EQ(logins().at(0).last_used_at, request.now);
    // The earlier access token lives out its time, and the used one is remembered.
    EXPECT_TRUE(is_there(begun.access));
    EXPECT_TRUE(is_there(begun.refresh));
}

TEST_F(RefreshContract, IsForNothingButARefreshToken)
{
    const auto begun = begun_login(ana);
    EXPECT_EQ(refusal_of(begun.access), Errc::not_found);
    EXPECT_EQ(refusal_of(added_token('p', ana.id)), Errc::not_found);
    EXPECT_EQ(refusal_of(added_token('r', ana.id)), Errc::not_found);
    EXPECT_EQ(refusal_of(new_token('r')), Errc::not_found);
}

TEST_F(RefreshContract, WorksUntilTheTokenExpires)
{
    const auto early = begun_login(ana);
    const auto late = begun_login(ana);
    Refresh in_time = showing(early.refresh);
    in_time.now = early.refresh.expires_at.value_or(TimePoint()) - 1ms;
    EXPECT_TRUE(block_on(tokens().refresh_login(in_time)));
    Refresh too_late = showing(late.refresh);
    too_late.now = late.refresh.expires_at.value_or(TimePoint());
    EXPECT_EQ(block_on(tokens().refresh_login(too_late)).error().code, Errc::not_found);
}

TEST_F(RefreshContract, IsRefusedOnceTheUserWasDisabled)
{
    const auto begun = begun_login(ana);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = true})));
    EXPECT_EQ(refusal_of(begun.refresh), Errc::not_found);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = false})));
    EXPECT_EQ(refusal_of(begun.refresh), Errc::not_found);
}

TEST_F(RefreshContract, GivesEachOfTwoAtOnceASuccessorOfTheirOwn)
{
    const auto begun = begun_login(ana);
    std::vector<Task<Result<Refreshed>>> tasks;
    for (int i = 0; i < 2; ++i) tasks.push_back(tokens().refresh_login(showing(begun.refresh)));
    const auto results = block_on_all(std::move(tasks));
    ASSERT_TRUE(results.at(0));
    ASSERT_TRUE(results.at(1));
    EXPECT_NE(results.at(0)->refresh.id, results.at(1)->refresh.id);
    clock.advance(grace * 2);
    for (const auto& result : results) {
        EXPECT_EQ(result->login.id, begun.login.id);
        EXPECT_TRUE(is_there(result->access));
        EXPECT_TRUE(refresh(result->refresh));
    }
    EXPECT_EQ(logins().size(), 1U);
}

TEST_F(RefreshContract, CountsTheGraceFromTheFirstUse)
{
    const auto begun = begun_login(ana);
    ASSERT_TRUE(refresh(begun.refresh));
    const TimePoint first_use = clock.now();
    for (const auto later : {20'000ms, 40'000ms, 59'999ms}) {
        Refresh request = showing(begun.refresh);
        request.now = first_use + later;
        EXPECT_TRUE(block_on(tokens().refresh_login(request))) << later.count();
    }
    Refresh request = showing(begun.refresh);
    request.now = first_use + 60s;
    EXPECT_EQ(block_on(tokens().refresh_login(request)).error().code, Errc::conflict);
}

TEST_F(RefreshContract, EndsTheWholeLoginWhenATokenIsUsedAgainLater)
{
    const auto begun = begun_login(ana);
    const auto other = begun_login(ana);
    const Refreshed second = refresh(begun.refresh).value();
    clock.advance(1h);
    const Refreshed third = refresh(second.refresh).value();
    clock.advance(grace);

    EXPECT_EQ(refusal_of(begun.refresh), Errc::conflict);
    if (keeps()) reopen();
    for (const Token& token : {begun.access, begun.refresh, second.access, second.refresh,
                               third.access, third.refresh}) {
        EXPECT_FALSE(is_there(token));
        EXPECT_EQ(refusal_of(token), Errc::not_found);
    }
    EXPECT_TRUE(is_there(other.access));
    EXPECT_TRUE(refresh(other.refresh));
    EXPECT_EQ(logins().size(), 1U);
}

TEST_F(RefreshContract, NotesATheftAndNothingElse)
{
    const auto begun = begun_login(ana);
    const AuditEvent theft = new_event();
    const auto show = [&] {
        Refresh request = showing(begun.refresh);
        request.reuse = theft;
        return block_on(tokens().refresh_login(request));
    };
    EXPECT_TRUE(show());
    EXPECT_TRUE(show());
    EXPECT_TRUE(audited().empty());
    clock.advance(grace);
    EXPECT_EQ(show().error().code, Errc::conflict);
    EXPECT_EQ(show().error().code, Errc::not_found);
    EXPECT_EQ(audited(), std::vector{theft});
}

TEST_F(RefreshContract, HasNoGraceWhereItIsSetToNone)
{
    const auto begun = begun_login(ana);
    Refresh first = showing(begun.refresh);
    Refresh second = showing(begun.refresh);
    first.grace = second.grace = 0s;
    second.now = first.now;
    EXPECT_TRUE(block_on(tokens().refresh_login(first)));
    EXPECT_EQ(block_on(tokens().refresh_login(second)).error().code, Errc::conflict);
}

TEST_F(RefreshContract, EndsTheLoginWhetherTheThiefOrTheOwnerComesFirst)
{
    const auto begun = begun_login(ana);
    const Refreshed next = refresh(begun.refresh).value();
    clock.advance(1h);
    std::vector<Task<Result<Refreshed>>> tasks;
    for (int i = 0; i < 10; ++i) {
        tasks.push_back(tokens().refresh_login(showing(next.refresh)));
        tasks.push_back(tokens().refresh_login(showing(begun.refresh)));
    }
    int conflicts = 0;
    for (const auto& result : block_on_all(std::move(tasks))) {
        if (result)
            EXPECT_FALSE(is_there(result->access));
        else if (result.error().code == Errc::conflict)
            ++conflicts;
        else
            EXPECT_EQ(result.error().code, Errc::not_found);
    }
    EXPECT_EQ(conflicts, 1);
    EXPECT_TRUE(logins().empty());
}

TEST_F(RefreshContract, ForgetsTheOldTokensOfALongChain)
{
    Token newest = begun_login(ana).refresh;
    std::size_t swept = 0;
    int refreshes = 0;
    const TimePoint end = clock.now() + login_life;
    for (; clock.now() + 24h < end; ++refreshes) {
        clock.advance(24h);
        newest = refresh(newest).value().refresh;
        swept += block_on(tokens().sweep(clock.now(), 100)).value();
    }
    EXPECT_EQ(refreshes, 89);
    // The access token of each pair, and the refresh token of those of 30 days ago.
    EXPECT_EQ(swept, 89U + 60U);
    EXPECT_TRUE(refresh(newest));
    EXPECT_EQ(logins().size(), 1U);
}

TEST_F(RefreshContract, KeepsWhatItSaidItKept)
{
    if (!keeps()) return;
    const auto begun = begun_login(ana);
    const Refreshed next = refresh(begun.refresh).value();
    const auto listed = logins();
    reopen();
    EXPECT_EQ(logins(), listed);
    EXPECT_EQ(found(next.access), next.access);
    clock.advance(1h);
    EXPECT_EQ(refusal_of(begun.refresh), Errc::conflict);
}

}  // namespace
}  // namespace parley::store
