// The contract tests of logins: how they begin and end.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class LoginsContract : public ContractTest {
protected:
    const User ana = added_user("ana");

    Token found(const Token& token)
    {
        return block_on(tokens().find_token(token.hash)).value().token;
    }
    Errc refusal_of(const Token& shown) { return refresh(shown).error().code; }
    auto logins() { return listed(ana.id).items; }
};

TEST_F(LoginsContract, BeginsWithTwoTokensThatBelongToIt)
{
    const auto [login, access, refresh] = begun_login(ana, "phone");
    for (Token token : {access, refresh}) {
        token.user = ana.id;
        token.created_by = ana.id;
        token.login = login.id;
        token.name = "phone";
        EXPECT_EQ(found(token), token);
    }
    const User user = block_on(accounts().find_user(ana.id)).value();
    EXPECT_EQ(user.last_login_at, login.created_at);
}

TEST_F(LoginsContract, BeginsForNobodyWhoIsGoneOrDisabled)
{
    const auto refused = [&](const User& user) {
        const auto login = new_login(user);
        const auto code =
            block_on(tokens().begin_login(login.login, login.access, login.refresh)).error().code;
        EXPECT_FALSE(is_there(login.access));
        return code;
    };
    EXPECT_EQ(refused(new_user("nobody")), Errc::not_found);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = true})));
    EXPECT_EQ(refused(ana), Errc::not_found);
}

TEST_F(LoginsContract, DoesNotBeginWithAPasswordThatWasChangedMeanwhile)
{
    const auto login = new_login(ana);
    const auto begin = [&](const std::string& checked_hash) {
        return block_on(tokens().begin_login(login.login, login.access, login.refresh,
                                             {.password_hash = checked_hash}));
    };
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.password_hash = "new"})));
    EXPECT_EQ(begin(ana.password_hash).error().code, Errc::conflict);
    EXPECT_FALSE(is_there(login.access));
    EXPECT_TRUE(begin("new"));
}

TEST_F(LoginsContract, BeginsWholeOrNotAtAll)
{
    const auto first = begun_login(ana);
    auto same_id = new_login(ana);
    same_id.login.id = first.login.id;
    auto same_hash = new_login(ana);
    same_hash.refresh.hash = first.refresh.hash;
    for (const auto& [login, access, refresh] : {same_id, same_hash}) {
        EXPECT_EQ(block_on(tokens().begin_login(login, access, refresh)).error().code,
                  Errc::conflict);
        EXPECT_FALSE(is_there(access));
    }
    EXPECT_EQ(logins().size(), 1U);
    EXPECT_TRUE(is_there(first.access));
    EXPECT_TRUE(is_there(first.refresh));
}

TEST_F(LoginsContract, IsNeverProlongedBeyondItsEnd)
{
    auto begun = new_login(ana);
    begun.login.expires_at = clock.now() + 30s;
    begun.refresh.expires_at.reset();
    ASSERT_TRUE(block_on(tokens().begin_login(begun.login, begun.access, begun.refresh)));
    EXPECT_EQ(found(begun.access).expires_at, begun.login.expires_at);
    EXPECT_EQ(found(begun.refresh).expires_at, begun.login.expires_at);

    const Refreshed next = refresh(begun.refresh).value();
    EXPECT_EQ(next.login.expires_at, begun.login.expires_at);
    EXPECT_EQ(found(next.access).expires_at, begun.login.expires_at);
    EXPECT_EQ(found(next.refresh).expires_at, begun.login.expires_at);
    clock.set(begun.login.expires_at);
    EXPECT_EQ(refusal_of(next.refresh), Errc::not_found);
    EXPECT_TRUE(logins().empty());
}

TEST_F(LoginsContract, EndsWithItsTokensWhetherItWasThereOrNot)
{
    const auto begun = begun_login(ana);
    const auto other = begun_login(ana);
    const Token personal = added_token('p', ana.id);
    const Refreshed next = refresh(begun.refresh).value();
    EXPECT_TRUE(block_on(tokens().end_login(begun.login.id)));
    for (const Token& token : {begun.access, begun.refresh, next.access, next.refresh})
        EXPECT_FALSE(is_there(token));
    EXPECT_EQ(refusal_of(next.refresh), Errc::not_found);
    for (const std::string& id : {begun.login.id, "tok_none"s, ""s, personal.id, other.access.id})
        EXPECT_TRUE(block_on(tokens().end_login(id)));
    EXPECT_TRUE(is_there(personal));
    EXPECT_TRUE(is_there(other.access));
}

TEST_F(LoginsContract, LeavesTheListWhenNoTokenOfItIsLeft)
{
    const auto begun = begun_login(ana);
    clock.advance(refresh_life - 1s);
    EXPECT_EQ(logins().size(), 1U);
    ASSERT_TRUE(refresh(begun.refresh));
    clock.advance(refresh_life - 1s);
    EXPECT_EQ(logins().size(), 1U);
    clock.advance(1s);
    EXPECT_TRUE(logins().empty());
}

}  // namespace
}  // namespace parley::store
