// The contract tests of limits of a user's and a token's own, and of changes of tokens.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class OwnLimitsContract : public ContractTest {
protected:
    Result<Token> change(const Token& token, TokenChange change,
                         std::vector<AuditEvent> events = {})
    {
        return block_on(tokens().change_token(ana.id, token.id, std::move(change), clock.now(),
                                              std::move(events)));
    }
    Result<Token> found(const User& user, const std::string& id)
    {
        return block_on(tokens().find_listed_token(user.id, id, clock.now()));
    }

    const User ana = added_user("ana");
    const User ben = added_user("ben");
};

TEST_F(OwnLimitsContract, AreKeptWithTheUser)
{
    User eva = new_user("eva");
    eva.limits = {.chat = 300, .general = {}};
    ASSERT_TRUE(block_on(accounts().add_user(eva)));
    const auto limits = [&] { return block_on(accounts().find_user(eva.id)).value().limits; };
    EXPECT_EQ(limits(), eva.limits);
    const auto set = [&](LimitsChange change) {
        ASSERT_TRUE(block_on(accounts().change_user(eva.id, {.limits = change})));
    };
    set({.general = 7});
    EXPECT_EQ(limits(), (OwnLimits{300, 7}));
    set({.chat = LimitsChange::Number()});
    EXPECT_EQ(limits(), (OwnLimits{{}, 7}));
    set({.automation = 90});
    EXPECT_EQ(limits(), (OwnLimits{{}, 7, 90}));
    if (keeps()) reopen();
    EXPECT_EQ(limits(), (OwnLimits{{}, 7, 90}));
    EXPECT_EQ(block_on(accounts().find_user(ana.id)).value(), ana);
}

TEST_F(OwnLimitsContract, AreKeptWithTheToken)
{
    Token token = new_token('p', ana.id);
    token.limits = {.chat = 5, .general = 6, .automation = 8};
    ASSERT_TRUE(block_on(tokens().add_token(token)));
    EXPECT_EQ(found(ana, token.id).value(), token);
    token.limits = {.chat = {}, .general = 6, .automation = 9};
    token.name = "renamed";
    EXPECT_EQ(change(token, {.name = "renamed",
                             .limits = {.chat = LimitsChange::Number(), .automation = 9}})
                  .value(),
              token);
    if (keeps()) reopen();
    EXPECT_EQ(block_on(tokens().find_token(token.hash)).value().token, token);
}

TEST_F(OwnLimitsContract, ATokenIsFoundAndChangedByItsUserAlone)
{
    const Token token = added_token('p', ana.id, clock.now() + 1h);
    const Token client = added_token('c');
    const auto login = begun_login(ana);
    EXPECT_EQ(found(ana, token.id).value(), token);
    EXPECT_EQ(found(ana, login.login.id).value().kind, 's');
    EXPECT_EQ(change({.id = login.login.id}, {.name = "tablet"}).value().name, "tablet");
    EXPECT_EQ(listed(ana.id).items.at(0).name, "tablet");
    for (const auto& [user, id] :
         {std::pair(ben, token.id), {ana, client.id}, {ana, login.access.id}, {ana, "tok_none"s}})
        EXPECT_EQ(found(user, id).error().code, Errc::not_found);
    EXPECT_EQ(change(client, {.name = "mine"}).error().code, Errc::not_found);
    EXPECT_EQ(block_on(tokens().find_token(client.hash)).value().token, client);
    clock.advance(2h);
    EXPECT_EQ(found(ana, token.id).error().code, Errc::not_found);
    EXPECT_EQ(change(token, {.name = "late"}).error().code, Errc::not_found);
}

TEST_F(OwnLimitsContract, StoresTheAuditEventsWithTheChangeOrNeither)
{
    const Token token = added_token('p', ana.id);
    const std::vector<AuditEvent> events{new_event("b"), new_event("a")};
    ASSERT_TRUE(change(token, {.name = "n"}, {events[1], events[0]}));
    EXPECT_FALSE(change({.id = "tok_none"}, {.name = "n"}, {new_event()}));
    EXPECT_EQ(audited(), events);
}

}  // namespace
}  // namespace parley::store
