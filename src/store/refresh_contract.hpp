// The contract tests of refresh tokens: a login goes on with them, and ends when one was stolen.
#pragma once

#include "store/contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class RefreshContract : public ContractTest<Maker> {
protected:
    const User ana = this->added_user("ana");

    Token found(const Token& token)
    {
        return run(this->tokens().find_token(token.hash)).value().token;
    }
    Errc refusal_of(const Token& shown) { return this->refresh(shown).error().code; }
    auto logins() { return this->listed(ana.id).items; }
};

TYPED_TEST_SUITE_P(RefreshContract);

TYPED_TEST_P(RefreshContract, GivesSuccessorsOfTheToken)
{
    const auto begun = this->begun_login(this->ana, "phone");
    this->clock.advance(10s);
    Refresh request = this->showing(begun.refresh);
    request.access.scopes = 31;  // The user became an operator.
    const Refreshed refreshed = run(this->tokens().refresh_login(request)).value();

    EXPECT_EQ(refreshed.user.id, this->ana.id);
    EXPECT_EQ(refreshed.user.last_login_at, begun.login.created_at);
    Login login = begun.login;
    login.hint = request.access.hint;
    login.scopes = 31;
    login.last_used_at = request.now;
    EXPECT_EQ(refreshed.login, login);
    EXPECT_EQ(refreshed.access.id, request.access.id);
    EXPECT_EQ(refreshed.access.user, this->ana.id);
    EXPECT_EQ(refreshed.access.login, begun.login.id);
    EXPECT_EQ(refreshed.access.expires_at, request.access.expires_at);
    EXPECT_EQ(this->found(request.access), refreshed.access);
    EXPECT_EQ(this->found(request.refresh), refreshed.refresh);
    ASSERT_EQ(this->logins().size(), 1U);
    EXPECT_EQ(this->logins().at(0).hint, login.hint);
    EXPECT_EQ(this->logins().at(0).scopes, 31);
    EXPECT_EQ(this->logins().at(0).last_used_at, request.now);
    // The earlier access token lives out its time, and the used one is remembered.
    EXPECT_TRUE(this->is_there(begun.access));
    EXPECT_TRUE(this->is_there(begun.refresh));
}

TYPED_TEST_P(RefreshContract, IsForNothingButARefreshToken)
{
    const auto begun = this->begun_login(this->ana);
    EXPECT_EQ(this->refusal_of(begun.access), Errc::not_found);
    EXPECT_EQ(this->refusal_of(this->added_token('p', this->ana.id)), Errc::not_found);
    EXPECT_EQ(this->refusal_of(this->added_token('r', this->ana.id)), Errc::not_found);
    EXPECT_EQ(this->refusal_of(this->new_token('r')), Errc::not_found);
}

TYPED_TEST_P(RefreshContract, WorksUntilTheTokenExpires)
{
    const auto early = this->begun_login(this->ana);
    const auto late = this->begun_login(this->ana);
    Refresh in_time = this->showing(early.refresh);
    in_time.now = early.refresh.expires_at.value_or(TimePoint()) - 1ms;
    EXPECT_TRUE(run(this->tokens().refresh_login(in_time)));
    Refresh too_late = this->showing(late.refresh);
    too_late.now = late.refresh.expires_at.value_or(TimePoint());
    EXPECT_EQ(run(this->tokens().refresh_login(too_late)).error().code, Errc::not_found);
}

TYPED_TEST_P(RefreshContract, IsRefusedWhileTheUserIsDisabled)
{
    const auto begun = this->begun_login(this->ana);
    ASSERT_TRUE(run(this->accounts().change_user(this->ana.id, {.disabled = true})));
    EXPECT_EQ(this->refusal_of(begun.refresh), Errc::not_found);
    ASSERT_TRUE(run(this->accounts().change_user(this->ana.id, {.disabled = false})));
    EXPECT_TRUE(this->refresh(begun.refresh));
}

TYPED_TEST_P(RefreshContract, GivesEachOfTwoAtOnceASuccessorOfTheirOwn)
{
    const auto begun = this->begun_login(this->ana);
    std::vector<Task<Result<Refreshed>>> tasks;
    for (int i = 0; i < 2; ++i)
        tasks.push_back(this->tokens().refresh_login(this->showing(begun.refresh)));
    const auto results = run_all(std::move(tasks));
    ASSERT_TRUE(results.at(0));
    ASSERT_TRUE(results.at(1));
    EXPECT_NE(results.at(0)->refresh.id, results.at(1)->refresh.id);
    this->clock.advance(this->grace * 2);
    for (const auto& result : results) {
        EXPECT_EQ(result->login.id, begun.login.id);
        EXPECT_TRUE(this->is_there(result->access));
        EXPECT_TRUE(this->refresh(result->refresh));
    }
    EXPECT_EQ(this->logins().size(), 1U);
}

TYPED_TEST_P(RefreshContract, CountsTheGraceFromTheFirstUse)
{
    const auto begun = this->begun_login(this->ana);
    ASSERT_TRUE(this->refresh(begun.refresh));
    const TimePoint first_use = this->clock.now();
    for (const auto later : {20'000ms, 40'000ms, 59'999ms}) {
        Refresh request = this->showing(begun.refresh);
        request.now = first_use + later;
        EXPECT_TRUE(run(this->tokens().refresh_login(request))) << later.count();
    }
    Refresh request = this->showing(begun.refresh);
    request.now = first_use + 60s;
    EXPECT_EQ(run(this->tokens().refresh_login(request)).error().code, Errc::conflict);
}

TYPED_TEST_P(RefreshContract, EndsTheWholeLoginWhenATokenIsUsedAgainLater)
{
    const auto begun = this->begun_login(this->ana);
    const auto other = this->begun_login(this->ana);
    const Refreshed second = this->refresh(begun.refresh).value();
    this->clock.advance(1h);
    const Refreshed third = this->refresh(second.refresh).value();
    this->clock.advance(this->grace);

    EXPECT_EQ(this->refusal_of(begun.refresh), Errc::conflict);
    if (TypeParam::keeps) this->reopen();
    for (const Token& token : {begun.access, begun.refresh, second.access, second.refresh,
                               third.access, third.refresh}) {
        EXPECT_FALSE(this->is_there(token));
        EXPECT_EQ(this->refusal_of(token), Errc::not_found);
    }
    EXPECT_TRUE(this->is_there(other.access));
    EXPECT_TRUE(this->refresh(other.refresh));
    EXPECT_EQ(this->logins().size(), 1U);
}

TYPED_TEST_P(RefreshContract, NotesATheftAndNothingElse)
{
    const auto begun = this->begun_login(this->ana);
    const AuditEvent theft = this->new_event();
    const auto show = [&] {
        Refresh request = this->showing(begun.refresh);
        request.reuse = theft;
        return run(this->tokens().refresh_login(request));
    };
    EXPECT_TRUE(show());
    EXPECT_TRUE(show());
    EXPECT_TRUE(this->audited().empty());
    this->clock.advance(this->grace);
    EXPECT_EQ(show().error().code, Errc::conflict);
    EXPECT_EQ(show().error().code, Errc::not_found);
    EXPECT_EQ(this->audited(), std::vector{theft});
}

TYPED_TEST_P(RefreshContract, HasNoGraceWhereItIsSetToNone)
{
    const auto begun = this->begun_login(this->ana);
    Refresh first = this->showing(begun.refresh);
    Refresh second = this->showing(begun.refresh);
    first.grace = second.grace = 0s;
    second.now = first.now;
    EXPECT_TRUE(run(this->tokens().refresh_login(first)));
    EXPECT_EQ(run(this->tokens().refresh_login(second)).error().code, Errc::conflict);
}

TYPED_TEST_P(RefreshContract, EndsTheLoginWhetherTheThiefOrTheOwnerComesFirst)
{
    const auto begun = this->begun_login(this->ana);
    const Refreshed next = this->refresh(begun.refresh).value();
    this->clock.advance(1h);
    std::vector<Task<Result<Refreshed>>> tasks;
    for (int i = 0; i < 10; ++i) {
        tasks.push_back(this->tokens().refresh_login(this->showing(next.refresh)));
        tasks.push_back(this->tokens().refresh_login(this->showing(begun.refresh)));
    }
    int conflicts = 0;
    for (const auto& result : run_all(std::move(tasks))) {
        if (result)
            EXPECT_FALSE(this->is_there(result->access));
        else if (result.error().code == Errc::conflict)
            ++conflicts;
        else
            EXPECT_EQ(result.error().code, Errc::not_found);
    }
    EXPECT_EQ(conflicts, 1);
    EXPECT_TRUE(this->logins().empty());
}

TYPED_TEST_P(RefreshContract, ForgetsTheOldTokensOfALongChain)
{
    Token newest = this->begun_login(this->ana).refresh;
    std::size_t swept = 0;
    int refreshes = 0;
    const TimePoint end = this->clock.now() + this->login_life;
    for (; this->clock.now() + 24h < end; ++refreshes) {
        this->clock.advance(24h);
        newest = this->refresh(newest).value().refresh;
        swept += run(this->tokens().sweep(this->clock.now(), 100)).value();
    }
    EXPECT_EQ(refreshes, 89);
    // Of each pair the access token, and of those of 30 days ago the other one.
    EXPECT_EQ(swept, 89U + 60U);
    EXPECT_TRUE(this->refresh(newest));
    EXPECT_EQ(this->logins().size(), 1U);
}

TYPED_TEST_P(RefreshContract, KeepsWhatItSaidItKept)
{
    if (!TypeParam::keeps) return;
    const auto begun = this->begun_login(this->ana);
    const Refreshed next = this->refresh(begun.refresh).value();
    const auto listed = this->logins();
    this->reopen();
    EXPECT_EQ(this->logins(), listed);
    EXPECT_EQ(this->found(next.access), next.access);
    this->clock.advance(1h);
    EXPECT_EQ(this->refusal_of(begun.refresh), Errc::conflict);
}

REGISTER_TYPED_TEST_SUITE_P(RefreshContract, GivesSuccessorsOfTheToken,
                            IsForNothingButARefreshToken, WorksUntilTheTokenExpires,
                            IsRefusedWhileTheUserIsDisabled,
                            GivesEachOfTwoAtOnceASuccessorOfTheirOwn, CountsTheGraceFromTheFirstUse,
                            EndsTheWholeLoginWhenATokenIsUsedAgainLater,
                            HasNoGraceWhereItIsSetToNone,
                            EndsTheLoginWhetherTheThiefOrTheOwnerComesFirst,
                            ForgetsTheOldTokensOfALongChain, NotesATheftAndNothingElse,
                            KeepsWhatItSaidItKept);

}  // namespace parley::store
