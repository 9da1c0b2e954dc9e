// The contract tests of logins: how they begin and end.
#pragma once

#include "store/contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class LoginsContract : public ContractTest<Maker> {
protected:
    const User ana = this->added_user("ana");

    Token found(const Token& token)
    {
        return run(this->tokens().find_token(token.hash)).value().token;
    }
    Errc refusal_of(const Token& shown) { return this->refresh(shown).error().code; }
    auto logins() { return this->listed(ana.id).items; }
};

TYPED_TEST_SUITE_P(LoginsContract);

TYPED_TEST_P(LoginsContract, BeginsWithTwoTokensThatBelongToIt)
{
    const auto [login, access, refresh] = this->begun_login(this->ana, "phone");
    for (Token token : {access, refresh}) {
        token.user = this->ana.id;
        token.created_by = this->ana.id;
        token.login = login.id;
        token.name = "phone";
        EXPECT_EQ(this->found(token), token);
    }
    const User user = run(this->accounts().find_user(this->ana.id)).value();
    EXPECT_EQ(user.last_login_at, login.created_at);
}

TYPED_TEST_P(LoginsContract, BeginsForNobodyWhoIsGoneOrDisabled)
{
    const auto refused = [&](const User& user) {
        const auto login = this->new_login(user);
        const auto code =
            run(this->tokens().begin_login(login.login, login.access, login.refresh)).error().code;
        EXPECT_FALSE(this->is_there(login.access));
        return code;
    };
    EXPECT_EQ(refused(this->new_user("nobody")), Errc::not_found);
    ASSERT_TRUE(run(this->accounts().change_user(this->ana.id, {.disabled = true})));
    EXPECT_EQ(refused(this->ana), Errc::not_found);
}

TYPED_TEST_P(LoginsContract, DoesNotBeginWithAPasswordThatWasChangedMeanwhile)
{
    const auto login = this->new_login(this->ana);
    const auto begin = [&](const std::string& checked_hash) {
        return run(
            this->tokens().begin_login(login.login, login.access, login.refresh, checked_hash));
    };
    ASSERT_TRUE(run(this->accounts().change_user(this->ana.id, {.password_hash = "new"})));
    EXPECT_EQ(begin(this->ana.password_hash).error().code, Errc::conflict);
    EXPECT_FALSE(this->is_there(login.access));
    EXPECT_TRUE(begin("new"));
}

TYPED_TEST_P(LoginsContract, BeginsWholeOrNotAtAll)
{
    const auto first = this->begun_login(this->ana);
    auto same_id = this->new_login(this->ana);
    same_id.login.id = first.login.id;
    auto same_hash = this->new_login(this->ana);
    same_hash.refresh.hash = first.refresh.hash;
    for (const auto& [login, access, refresh] : {same_id, same_hash}) {
        EXPECT_EQ(run(this->tokens().begin_login(login, access, refresh)).error().code,
                  Errc::conflict);
        EXPECT_FALSE(this->is_there(access));
    }
    EXPECT_EQ(this->logins().size(), 1U);
    EXPECT_TRUE(this->is_there(first.access));
    EXPECT_TRUE(this->is_there(first.refresh));
}

TYPED_TEST_P(LoginsContract, IsNeverProlongedBeyondItsEnd)
{
    auto begun = this->new_login(this->ana);
    begun.login.expires_at = this->clock.now() + 30s;
    begun.refresh.expires_at.reset();
    ASSERT_TRUE(run(this->tokens().begin_login(begun.login, begun.access, begun.refresh)));
    EXPECT_EQ(this->found(begun.access).expires_at, begun.login.expires_at);
    EXPECT_EQ(this->found(begun.refresh).expires_at, begun.login.expires_at);

    const Refreshed next = this->refresh(begun.refresh).value();
    EXPECT_EQ(next.login.expires_at, begun.login.expires_at);
    EXPECT_EQ(this->found(next.access).expires_at, begun.login.expires_at);
    EXPECT_EQ(this->found(next.refresh).expires_at, begun.login.expires_at);
    this->clock.set(begun.login.expires_at);
    EXPECT_EQ(this->refusal_of(next.refresh), Errc::not_found);
    EXPECT_TRUE(this->logins().empty());
}

TYPED_TEST_P(LoginsContract, EndsWithItsTokensWhetherItWasThereOrNot)
{
    const auto begun = this->begun_login(this->ana);
    const auto other = this->begun_login(this->ana);
    const Token personal = this->added_token('p', this->ana.id);
    const Refreshed next = this->refresh(begun.refresh).value();
    EXPECT_TRUE(run(this->tokens().end_login(begun.login.id)));
    for (const Token& token : {begun.access, begun.refresh, next.access, next.refresh})
        EXPECT_FALSE(this->is_there(token));
    EXPECT_EQ(this->refusal_of(next.refresh), Errc::not_found);
    for (const std::string& id : {begun.login.id, "tok_none"s, ""s, personal.id, other.access.id})
        EXPECT_TRUE(run(this->tokens().end_login(id)));
    EXPECT_TRUE(this->is_there(personal));
    EXPECT_TRUE(this->is_there(other.access));
}

TYPED_TEST_P(LoginsContract, LeavesTheListWhenNoTokenOfItIsLeft)
{
    const auto begun = this->begun_login(this->ana);
    this->clock.advance(this->refresh_life - 1s);
    EXPECT_EQ(this->logins().size(), 1U);
    ASSERT_TRUE(this->refresh(begun.refresh));
    this->clock.advance(this->refresh_life - 1s);
    EXPECT_EQ(this->logins().size(), 1U);
    this->clock.advance(1s);
    EXPECT_TRUE(this->logins().empty());
}

REGISTER_TYPED_TEST_SUITE_P(LoginsContract, BeginsWithTwoTokensThatBelongToIt,
                            BeginsForNobodyWhoIsGoneOrDisabled,
                            DoesNotBeginWithAPasswordThatWasChangedMeanwhile, BeginsWholeOrNotAtAll,
                            IsNeverProlongedBeyondItsEnd, EndsWithItsTokensWhetherItWasThereOrNot,
                            LeavesTheListWhenNoTokenOfItIsLeft);

}  // namespace parley::store
