// The contract tests of users and tokens that are made once, however often the request comes, and
// of invitations.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class MadeOnceContract : public ContractTest {
protected:
    OwnClaim claim(const User& user, unsigned char fingerprint = 1, bool test = false)
    {
        OwnClaim made{.owner = {user.id, test},
                      .claim = {.key = "k", .now = clock.now(), .expires_at = clock.now() + 24h}};
        made.claim.fingerprint[31] = fingerprint;
        return made;
    }
    Result<AddedToken> add_token(OwnClaim key, Token token)
    {
        return block_on(tokens().add_token(std::move(token), new_event(), std::move(key)));
    }
    Result<AddedUser> add_user(OwnClaim key, const std::string& name)
    {
        return block_on(accounts().add_user(new_user(name), new_event(), std::move(key)));
    }
    CodeHash code(unsigned char last)
    {
        CodeHash hash{};
        hash[31] = last;
        return hash;
    }
    Result<User> accept(unsigned char last, const std::string& hash = "new")
    {
        return block_on(accounts().accept_invitation(code(last), clock.now(), hash, new_event()));
    }

    const User ana = added_user("ana");
    const User ben = added_user("ben");
};

TEST_F(MadeOnceContract, GivesTheFirstTokenAgainAsItIsNow)
{
    const auto first = add_token(claim(ana), new_token('p', ana.id)).value();
    EXPECT_FALSE(first.replayed);
    ASSERT_TRUE(
        block_on(tokens().change_token(ana.id, first.token.id, {.name = "n"}, clock.now())));
    if (keeps()) reopen();
    const auto second = add_token(claim(ana), new_token('p', ana.id)).value();
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.token.id, first.token.id);
    EXPECT_EQ(second.token.name, "n");
    EXPECT_EQ(block_on(tokens().find_made_token(claim(ana))).value(), second.token);
    EXPECT_EQ(listed(ana.id).items.size(), 1U);
    EXPECT_EQ(audited().size(), 1U) << "a replay is not told of";

    ASSERT_TRUE(block_on(tokens().revoke(ana.id, first.token.id)));
    EXPECT_EQ(add_token(claim(ana), new_token('p', ana.id)).error().code, Errc::not_found);
    EXPECT_EQ(block_on(tokens().find_made_token(claim(ana))).error().code, Errc::not_found);
    clock.advance(24h);
    EXPECT_EQ(block_on(tokens().find_made_token(claim(ana))).value(), std::nullopt);
    EXPECT_FALSE(add_token(claim(ana), new_token('p', ana.id)).value().replayed);
}

TEST_F(MadeOnceContract, GivesTheFirstUserAgain)
{
    const auto first = add_user(claim(ana), "eva").value();
    EXPECT_FALSE(first.replayed);
    const auto second = add_user(claim(ana), "eva").value();
    EXPECT_TRUE(second.replayed) << "and not that the name is taken";
    EXPECT_EQ(second.user, first.user);
    EXPECT_EQ(block_on(accounts().find_made_user(claim(ana))).value(), first.user);
    ASSERT_TRUE(block_on(accounts().remove_user(first.user.id)));
    EXPECT_EQ(add_user(claim(ana), "eva").error().code, Errc::not_found);
    EXPECT_EQ(block_on(accounts().find_made_user(claim(ana))).error().code, Errc::not_found);
}

TEST_F(MadeOnceContract, HasOneSpaceOfKeysForAllKindsOfObjects)
{
    ASSERT_TRUE(add_token(claim(ana), new_token('p', ana.id)));
    const Session session{.id = "ses_1", .owner = {ana.id, false}};
    EXPECT_EQ(block_on(store->sessions().create_session(session, claim(ana).claim)).error().code,
              Errc::idempotency_mismatch);
    EXPECT_EQ(add_user(claim(ana), "eva").error().code, Errc::idempotency_mismatch);
    EXPECT_EQ(add_token(claim(ana, 2), new_token('p', ana.id)).error().code,
              Errc::idempotency_mismatch);
    EXPECT_EQ(block_on(tokens().find_made_token(claim(ana, 2))).error().code,
              Errc::idempotency_mismatch);
    EXPECT_EQ(block_on(accounts().find_made_user(claim(ana))).error().code,
              Errc::idempotency_mismatch);
    for (const OwnClaim& free : {claim(ben), claim(ana, 1, true)})
        EXPECT_FALSE(add_token(free, new_token('p', ana.id)).value().replayed);
}

TEST_F(MadeOnceContract, BindsNothingIfItRefuses)
{
    EXPECT_EQ(add_user(claim(ana), "ben").error().code, Errc::conflict);
    EXPECT_EQ(add_token(claim(ana), new_token('p', "usr_none")).error().code, Errc::not_found);
    EXPECT_EQ(block_on(accounts().find_made_user(claim(ana, 2))).value(), std::nullopt);
    EXPECT_TRUE(audited().empty());
}

TEST_F(MadeOnceContract, MakesOneOfManyAtOnce)
{
    std::vector<Task<Result<AddedToken>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(tokens().add_token(new_token('p', ana.id), {}, claim(ana)));
    std::size_t made = 0;
    for (const auto& each : block_on_all(std::move(tasks))) made += each.value().replayed ? 0 : 1;
    EXPECT_EQ(made, 1U);
    EXPECT_EQ(listed(ana.id).items.size(), 1U);
}

TEST_F(MadeOnceContract, AnInvitationIsGoodOnce)
{
    User eva = new_user("eva");
    eva.password_hash.clear();
    eva.invitation = {code(1), clock.now() + 1h};
    ASSERT_TRUE(block_on(accounts().add_user(eva)));
    if (keeps()) reopen();
    EXPECT_EQ(block_on(accounts().find_invited_user(code(1), clock.now())).value(), eva);
    EXPECT_EQ(block_on(accounts().find_invited_user(code(2), clock.now())).error().code,
              Errc::not_found);
    const auto login = begun_login(eva);
    const Token personal = added_token('p', eva.id);
    const User accepted = accept(1).value();
    EXPECT_EQ(accepted.id, eva.id);
    EXPECT_EQ(accepted.password_hash, "new");
    EXPECT_EQ(accepted.invitation, std::nullopt);
    EXPECT_FALSE(is_there(login.access)) << "a new password ends logins";
    EXPECT_FALSE(is_there(personal)) << "and tokens: the invitation may be a way back in";
    EXPECT_EQ(accept(1).error().code, Errc::not_found);
    EXPECT_EQ(audited().size(), 1U);
}

TEST_F(MadeOnceContract, AnInvitationEnds)
{
    const auto invite = [&](unsigned char last) {
        ASSERT_TRUE(block_on(accounts().change_user(
            ana.id, {.invitation = Invitation{code(last), clock.now() + 1h}})));
    };
    invite(1);
    invite(2);  // Takes the place of the first.
    EXPECT_EQ(accept(1).error().code, Errc::not_found);
    clock.advance(1h);
    EXPECT_EQ(accept(2).error().code, Errc::not_found);
    invite(3);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = true})));
    EXPECT_EQ(accept(3).error().code, Errc::not_found);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = false})));
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.password_hash = "set"})));
    EXPECT_EQ(accept(3).error().code, Errc::not_found) << "a password was set meanwhile";
    EXPECT_EQ(block_on(accounts().find_user(ana.id)).value().password_hash, "set");
}

TEST_F(MadeOnceContract, UsersAreFoundByPartsOfTheirNames)
{
    User eva = new_user("eva maría");
    eva.display_name = "Straße ÉVA";
    ASSERT_TRUE(block_on(accounts().add_user(eva)));
    const auto named = [&](const std::string& part) {
        std::string names;
        for (const User& user : block_on(accounts().list_users({}, 10, part)).value().items)
            names += user.name_key + ";";
        return names;
    };
    EXPECT_EQ(named(""), "eva maría;ben;ana;");
    EXPECT_EQ(named("a"), "eva maría;ana;");
    EXPECT_EQ(named("strasse é"), "eva maría;");
    EXPECT_EQ(named("some"), "ben;ana;") << "their display name is Somebody";
    EXPECT_EQ(named("%"), "");
    const auto first = block_on(accounts().list_users({}, 1, "a")).value();
    ASSERT_TRUE(first.next);
    const auto last = block_on(accounts().list_users(first.next, 1, "a")).value();
    EXPECT_EQ(last.items.at(0).id, ana.id);
    EXPECT_EQ(last.next, std::nullopt);
}

}  // namespace
}  // namespace parley::store
