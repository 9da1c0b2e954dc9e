#include "auth/accounts.hpp"

#include "auth/people_for_tests.hpp"

namespace parley::auth {
namespace {

class AccountsTest : public PeopleTest {
protected:
    // The place of the first fault of a new user in the body.
    std::string wrong_with(std::string name, std::string_view word)
    {
        const auto made = block_on(accounts.add(
            {.username = std::move(name), .password = Secret(word), .display_name = ""}, "test",
            origin));
        return made || made.error().faults.empty() ? "" : made.error().faults.front().where;
    }
    MadeToken make_token(const store::User& user, NewToken wanted = {.name = "t"})
    {
        const auto caller = std::make_shared<Caller>(
            Caller{.user = user.id,
                   .actor = user.id,
                   .scopes = {Scope::chat_read, Scope::chat_write, Scope::account, Scope::admin}});
        return block_on(tokens.make(caller, user.id, std::move(wanted), origin)).value();
    }
};

TEST_F(AccountsTest, SayWhatIsWrongWithANewUser)
{
    EXPECT_EQ(wrong_with("", password), "#/username");
    EXPECT_EQ(wrong_with(std::string(129, 'x'), password), "#/username");
    EXPECT_EQ(wrong_with("ana", "short"), "#/password");
    EXPECT_EQ(wrong_with("ana", "password1"), "#/password");
    EXPECT_EQ(wrong_with("ana", password), "");
    EXPECT_EQ(
        block_on(accounts.add({.username = "ANA", .password = Secret(password), .display_name = ""},
                              "test", origin))
            .error()
            .code,
        Errc::conflict);
}

TEST_F(AccountsTest, MakeOneFirstOperator)
{
    const auto become = [this](const char* name) {
        return block_on(accounts.add_first_operator(
            {.username = name, .password = Secret(password), .display_name = ""}, origin));
    };
    const auto first = become("ana");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->role, Role::operator_);
    EXPECT_EQ(last_action(), "setup");
    EXPECT_EQ(become("eve").error().code, Errc::conflict);
}

TEST_F(AccountsTest, LockAUserOutAtOnce)
{
    add("root", Role::operator_);
    const auto ana = add("ana");
    const auto login = log_in("ana");
    const auto made = make_token(ana);
    ASSERT_TRUE(identify(login.access));
    ASSERT_TRUE(identify(made.text));
    ASSERT_TRUE(block_on(accounts.change(ana.id, {.disabled = true}, "test", origin)));
    EXPECT_EQ(last_action(), "user.disabled");
    EXPECT_FALSE(identify(login.access));
    EXPECT_FALSE(identify(made.text));
    ASSERT_TRUE(block_on(accounts.change(ana.id, {.disabled = false}, "test", origin)));
    EXPECT_TRUE(identify(made.text));
    EXPECT_FALSE(identify(login.access)) << "enabling revives no login";
}

TEST_F(AccountsTest, EndLoginsAndTokensWhenAnOperatorSetsAPassword)
{
    add("root", Role::operator_);
    const auto ana = add("ana");
    const auto reset = [&](bool keeps_tokens) {
        ChangedUser change{.password = Secret("quite another long one"),
                           .keeps_tokens = keeps_tokens};
        ASSERT_TRUE(block_on(accounts.change(ana.id, std::move(change), "test", origin)));
        EXPECT_EQ(last_action(), "user.password_reset");
    };
    const auto login = log_in("ana");
    const auto made = make_token(ana);
    reset(true);
    EXPECT_FALSE(identify(login.access));
    EXPECT_TRUE(identify(made.text));
    const auto test = make_token(ana, {.name = "t", .test = true});
    reset(false);
    EXPECT_FALSE(identify(made.text));
    EXPECT_FALSE(identify(test.text));
}

TEST_F(AccountsTest, TellOfEachActionOnce)
{
    add("root", Role::operator_);
    const auto ana = add("ana");
    const auto actions = [&] {
        std::vector<std::string> all;
        for (const auto& event : block_on(store->audit().list({}, 100)).value().items)
            if (event.target == ana.id) all.push_back(event.action);
        return all;
    };
    EXPECT_EQ(actions(), std::vector<std::string>{"user.created"});
    ChangedUser change{.display_name = "A", .role = Role::operator_, .limits = {.chat = 3}};
    ASSERT_TRUE(block_on(accounts.change(ana.id, std::move(change), "test", origin)));
    EXPECT_EQ(actions(), (std::vector<std::string>{"user.limits_changed", "user.renamed",
                                                   "user.promoted", "user.created"}));
    ASSERT_TRUE(block_on(accounts.change(ana.id, {}, "test", origin)));
    EXPECT_EQ(actions().size(), 4U);
    ASSERT_TRUE(block_on(logins.begin(ana, "", origin)));
    EXPECT_EQ(actions().size(), 4U);
    EXPECT_EQ(block_on(store->audit().list({}, 100)).value().items.size(), 5U)
        << "a login of a set-up is part of it";
}

TEST_F(AccountsTest, InviteUsersWhoSetAPasswordOnce)
{
    const auto made = block_on(accounts.add({.username = "eva", .password = {}, .display_name = ""},
                                            "test", origin))
                          .value();
    ASSERT_TRUE(made.invitation);
    EXPECT_EQ(made.invitation->expires_at - clock.now(), std::chrono::days(7));
    EXPECT_FALSE(block_on(logins.log_in("eva", Secret(""), "", origin)));
    const auto accept = [&](const InvitationCode& code, const char* word) {
        return block_on(accounts.accept(Secret(code.text.reveal()), Secret(word), origin));
    };
    EXPECT_EQ(accept(*made.invitation, "eva").error().faults.at(0).where, "#/password");
    EXPECT_EQ(accept({Secret("x"), {}}, password).error().code, Errc::invalid_credentials);
    EXPECT_TRUE(accept(*made.invitation, password));
    EXPECT_EQ(last_action(), "invitation.accepted");
    log_in("eva");
    EXPECT_EQ(accept(*made.invitation, password).error().code, Errc::invalid_credentials);

    const auto again = block_on(accounts.invite(made.user.id, "test", origin)).value();
    EXPECT_EQ(last_action(), "user.invited");
    log_in("eva");  // Until it is accepted, nothing changes.
    clock.advance(std::chrono::days(7));
    EXPECT_EQ(accept(*again.invitation, password).error().code, Errc::invalid_credentials);
    EXPECT_EQ(block_on(accounts.invite("usr_none", "test", origin)).error().code, Errc::not_found);
}

TEST_F(AccountsTest, ResetAPasswordByALinkOnceWithinADay)
{
    const auto ana = add("ana");
    const auto login = log_in("ana");
    const auto personal = make_token(ana);
    const auto link = [&] {
        return block_on(accounts.make_reset_link(ana.id, "test", origin)).value();
    };
    const auto reset = [&](const InvitationCode& code, const char* word) {
        return block_on(accounts.reset(Secret(code.text.reveal()), Secret(word), "", origin));
    };
    constexpr const char* next = "seven lantern quarry otters";
    const auto first = link();
    EXPECT_EQ(last_action(), "user.reset_link_created");
    EXPECT_EQ(first.expires_at - clock.now(), std::chrono::hours(24));
    EXPECT_TRUE(identify(login.access)) << "until it is used, nothing changes";
    const auto second = link();
    EXPECT_EQ(reset(first, next).error().code, Errc::invalid_credentials) << "it was replaced";
    EXPECT_EQ(reset(second, "ana").error().faults.at(0).where, "#/password");
    // The codes of the two kinds of links are not interchangeable.
    EXPECT_EQ(
        block_on(accounts.accept(Secret(second.text.reveal()), Secret(next), origin)).error().code,
        Errc::invalid_credentials);
    ASSERT_TRUE(reset(second, next));
    EXPECT_EQ(last_action(), "user.password_reset_by_link");
    EXPECT_FALSE(identify(login.access));
    EXPECT_FALSE(identify(personal.text));
    EXPECT_FALSE(block_on(logins.log_in("ana", Secret(password), "", origin)));
    EXPECT_TRUE(block_on(logins.log_in("ana", Secret(next), "", origin)));
    EXPECT_EQ(reset(second, next).error().code, Errc::invalid_credentials) << "it was used";

    const auto late = link();
    clock.advance(std::chrono::hours(24));
    EXPECT_EQ(reset(late, next).error().code, Errc::invalid_credentials);
    const auto replaced = link();
    ASSERT_TRUE(block_on(accounts.change(ana.id, {.password = Secret(password)}, "test", origin)));
    EXPECT_EQ(reset(replaced, next).error().code, Errc::invalid_credentials)
        << "another password was set meanwhile";
    const auto disabled = link();
    ASSERT_TRUE(block_on(accounts.change(ana.id, {.disabled = true}, "test", origin)));
    EXPECT_EQ(reset(disabled, next).error().code, Errc::invalid_credentials);
    EXPECT_EQ(block_on(accounts.make_reset_link("usr_none", "test", origin)).error().code,
              Errc::not_found);
}

TEST_F(AccountsTest, MakeAUserOnceForAKey)
{
    const auto root = add("root", Role::operator_);
    const store::OwnClaim key{
        {root.id, false},
        {.key = "k", .now = clock.now(), .expires_at = clock.now() + std::chrono::hours(24)}};
    const auto make = [&](const char* name) {
        return block_on(accounts.add({.username = name, .password = {}, .display_name = ""},
                                     root.id, origin, key));
    };
    const auto first = make("eva").value();
    EXPECT_TRUE(first.invitation);
    const auto second = make("eva").value();
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.user.id, first.user.id);
    EXPECT_FALSE(second.invitation) << "the code is shown once";
}

TEST_F(AccountsTest, EndOtherLoginsWithAPasswordAndLeaveTokens)
{
    const auto ana = add("ana");
    const auto here = log_in("ana");
    const auto there = log_in("ana");
    const auto made = make_token(ana);
    const auto caller = identify(here.access).value();
    const auto change = [&](const char* current, const char* next) {
        return block_on(accounts.change_password(caller, Secret(current), Secret(next), origin));
    };
    EXPECT_EQ(change("wrong wrong", "quite another long one").error().faults.at(0).where,
              "#/current_password");
    EXPECT_EQ(change(password, "12345678").error().faults.at(0).where, "#/new_password");
    ASSERT_TRUE(change(password, "quite another long one"));
    EXPECT_TRUE(identify(here.access));
    EXPECT_FALSE(identify(there.access));
    EXPECT_TRUE(identify(made.text));
    EXPECT_FALSE(block_on(logins.log_in("ana", Secret(password), "", origin)));
}

TEST_F(AccountsTest, TakeScopesAwayWithTheRole)
{
    add("root", Role::operator_);
    const auto ana = add("ana", Role::operator_);
    const auto made = make_token(ana, {.name = "t", .scopes = {Scope::admin, Scope::chat_read}});
    EXPECT_TRUE(identify(made.text).value()->scopes.has(Scope::admin));
    ASSERT_TRUE(block_on(accounts.change(ana.id, {.role = Role::member}, "test", origin)));
    EXPECT_EQ(identify(made.text).value()->scopes.text(), "chat:read");
}

TEST_F(AccountsTest, HandOutOnlyScopesThatOneHas)
{
    const auto ana = add("ana");
    const auto limited = std::make_shared<Caller>(
        Caller{.user = ana.id, .actor = ana.id, .scopes = {Scope::account, Scope::chat_read}});
    EXPECT_EQ(block_on(tokens.make(limited, ana.id, {.name = "t"}, origin)).error().code,
              Errc::insufficient_scope);
    EXPECT_TRUE(block_on(
        tokens.make(limited, ana.id, {.name = "t", .scopes = {Scope::chat_read}}, origin)));
    // Even an operator cannot create a token with admin for a member.
    const auto root =
        std::make_shared<Caller>(Caller{.actor = "root", .scopes = {Scope::admin, Scope::account}});
    EXPECT_FALSE(
        block_on(tokens.make(root, ana.id, {.name = "t", .scopes = {Scope::admin}}, origin)));
}

TEST_F(AccountsTest, ForgetARevokedTokenAtOnce)
{
    const auto ana = add("ana");
    const auto bob = add("bob");
    const auto made = make_token(ana);
    const auto caller = identify(made.text);
    ASSERT_TRUE(caller);
    const auto again = [&] { return block_on(authenticator.identify_again(*caller).wait()); };
    EXPECT_FALSE(block_on(tokens.revoke(bob.id, made.token.id, "bob", origin)));
    EXPECT_TRUE(identify(made.text));
    EXPECT_TRUE(again());
    ASSERT_TRUE(block_on(tokens.revoke(ana.id, made.token.id, "ana", origin)));
    EXPECT_FALSE(again());
    EXPECT_FALSE(identify(made.text));
}

// Each stream asks this when it opens.
TEST_F(AccountsTest, KnowWithoutALookUpThatACachedTokenIsNotRevoked)
{
    const auto ana = add("ana");
    const auto made = make_token(ana);
    const TokenHash hash = hash_token(made.text.reveal());
    EXPECT_FALSE(block_on(authenticator.is_revoked(hash).wait()));
    ASSERT_TRUE(identify(made.text));
    auto known = authenticator.is_revoked(hash);
    ASSERT_TRUE(known.is_ready());
    EXPECT_FALSE(known.take());
    ASSERT_TRUE(block_on(tokens.revoke(ana.id, made.token.id, "ana", origin)));
    EXPECT_FALSE(authenticator.is_revoked(hash).is_ready());
    EXPECT_TRUE(block_on(authenticator.is_revoked(hash).wait()));
}

TEST_F(AccountsTest, KeepTheLastOperator)
{
    const auto root = add("root", Role::operator_);
    EXPECT_EQ(block_on(accounts.remove(root.id, "test", origin)).error().code, Errc::conflict);
    EXPECT_FALSE(block_on(accounts.change(root.id, {.disabled = true}, "test", origin)));
    EXPECT_FALSE(block_on(accounts.change(root.id, {.role = Role::member}, "test", origin)));
    add("other", Role::operator_);
    EXPECT_TRUE(block_on(accounts.remove(root.id, "test", origin)));
}

}  // namespace
}  // namespace parley::auth
