// The contract tests of users.
#include "store/contract_fixture.hpp"

#include <set>

namespace parley::store {
namespace {

class AccountsContract : public ContractTest {
protected:
    User found(const User& user) { return block_on(accounts().find_user(user.id)).value(); }
    bool is_user(const User& user) { return block_on(accounts().find_user(user.id)).has_value(); }
    Result<User> change(const User& user, UserChange change)
    {
        return block_on(accounts().change_user(user.id, std::move(change)));
    }
    auto page(std::optional<Accounts::Position> before, std::size_t limit)
    {
        return block_on(accounts().list_users(before, limit)).value();
    }
};

TEST_F(AccountsContract, GivesUsersBackAsTheyWere)
{
    User sent = new_user("ana", Role::operator_);
    sent.username = "Ana";
    sent.disabled = true;
    sent.last_login_at = clock.now() - 5s;
    ASSERT_TRUE(block_on(accounts().add_user(sent)));
    EXPECT_EQ(found(sent), sent);
    EXPECT_EQ(block_on(accounts().find_user_by_name("ana")).value(), sent);
    EXPECT_EQ(block_on(accounts().find_user("ana")).error().code, Errc::not_found);
    EXPECT_EQ(block_on(accounts().find_user_by_name("Ana")).error().code, Errc::not_found);

    const User plain = added_user("ben");
    EXPECT_EQ(found(plain), plain);
}

TEST_F(AccountsContract, KeepsTimesToTheMillisecond)
{
    User sent = new_user("ana");
    const TimePoint at = sent.created_at;
    sent.created_at += std::chrono::microseconds(1999);
    sent.last_login_at = at + std::chrono::microseconds(999);
    ASSERT_TRUE(block_on(accounts().add_user(sent)));
    EXPECT_EQ(found(sent).created_at, at + 1ms);
    EXPECT_EQ(found(sent).last_login_at, at);
}

TEST_F(AccountsContract, KeepsEveryByteOfATextAsItWas)
{
    std::vector<User> sent;
    for (const std::string& nasty : {""s, "a"s, "a\0"s, "a\0b"s, "'; DROP TABLE users; --"s, "\""s,
                                     "\u2028\U0001F600"s, std::string(1 << 20, 'x')}) {
        constexpr std::size_t longest_name = 2000;  // More than the API allows.
        User user = new_user(nasty.substr(0, longest_name));
        user.display_name = nasty;
        user.password_hash = nasty;
        ASSERT_TRUE(block_on(accounts().add_user(user))) << nasty.substr(0, 30);
        sent.push_back(user);
    }
    for (const User& user : sent) {
        EXPECT_TRUE(found(user) == user) << user.username.substr(0, 30);
        EXPECT_TRUE(block_on(accounts().find_user_by_name(user.name_key)).value() == user);
    }
}

TEST_F(AccountsContract, RefusesANameThatIsTaken)
{
    const User first = added_user("ana");
    EXPECT_EQ(block_on(accounts().add_user(new_user("ana"))).error().code, Errc::conflict);
    User same_id = new_user("ben");
    same_id.id = first.id;
    EXPECT_EQ(block_on(accounts().add_user(same_id)).error().code, Errc::conflict);
    EXPECT_EQ(page(std::nullopt, 10).items, std::vector{first});

    ASSERT_TRUE(block_on(accounts().remove_user(first.id)));
    const User second = added_user("ana");
    EXPECT_EQ(block_on(accounts().find_user_by_name("ana")).value(), second);
}

TEST_F(AccountsContract, ListsUsersNewestFirstPageByPage)
{
    std::vector<User> users;
    for (int i = 0; i < 7; ++i) users.push_back(added_user(std::to_string(i)));
    std::string seen;
    std::optional<Accounts::Position> before;
    for (int pages = 1;; ++pages) {
        const auto page = this->page(before, 3);
        for (const User& user : page.items) seen += user.username;
        // Who comes or goes while somebody turns pages neither repeats nor hides another.
        added_user("new " + std::to_string(pages));
        if (pages == 1) {
            ASSERT_TRUE(block_on(accounts().remove_user(users.at(4).id)));
        }
        before = page.next;
        if (!before) {
            EXPECT_EQ(pages, 3);
            break;
        }
    }
    EXPECT_EQ(seen, "6543210");
    EXPECT_EQ(this->page(std::nullopt, 9).next, std::nullopt);
    EXPECT_NE(this->page(std::nullopt, 8).next, std::nullopt);
    EXPECT_TRUE(this->page(-1, 2).items.empty());
}

TEST_F(AccountsContract, ChangesWhatIsGivenAndNothingElse)
{
    User user = added_user("ana");
    const User other = added_user("ben");
    EXPECT_EQ(change(user, {}).value(), user);
    user.display_name = "";
    EXPECT_EQ(change(user, {.display_name = ""}).value(), user);
    user.role = Role::operator_;
    EXPECT_EQ(change(user, {.role = Role::operator_}).value(), user);
    user.password_hash = "better";
    EXPECT_EQ(change(user, {.password_hash = "better"}).value(), user);
    EXPECT_EQ(found(user), user);
    User guest = added_user("guest");
    guest.disabled = true;
    EXPECT_EQ(change(guest, {.disabled = true}).value(), guest);
    guest.disabled = false;
    EXPECT_EQ(change(guest, {.disabled = false}).value(), guest);
    EXPECT_EQ(found(other), other);
    EXPECT_EQ(block_on(accounts().change_user("usr_none", {})).error().code, Errc::not_found);
}

TEST_F(AccountsContract, EndsTheLoginsAtANewPasswordButForOne)
{
    const User ana = added_user("ana");
    const auto kept = begun_login(ana, "kept");
    const auto ended = begun_login(ana, "ended");
    const auto others = begun_login(added_user("ben"), "of somebody else");
    const Token personal = added_token('p', ana.id);
    EXPECT_TRUE(change(ana, {.display_name = "A", .login_to_keep = kept.login.id}));
    EXPECT_TRUE(is_there(ended.access));

    ASSERT_TRUE(change(ana, {.password_hash = "new", .login_to_keep = kept.login.id}));
    EXPECT_FALSE(is_there(ended.access));
    EXPECT_EQ(refresh(ended.refresh).error().code, Errc::not_found);
    EXPECT_TRUE(is_there(kept.access));
    EXPECT_TRUE(refresh(kept.refresh));

    ASSERT_TRUE(change(ana, {.password_hash = "newer"}));
    EXPECT_FALSE(is_there(kept.access));
    EXPECT_TRUE(is_there(personal));
    EXPECT_TRUE(is_there(others.access));
}

TEST_F(AccountsContract, EndsTheLoginsOfADisabledUserForGood)
{
    const User ana = added_user("ana");
    const auto ended = begun_login(ana);
    const Token personal = added_token('p', ana.id);
    ASSERT_TRUE(change(ana, {.disabled = true}));
    ASSERT_TRUE(change(ana, {.disabled = false}));
    EXPECT_FALSE(is_there(ended.access));
    EXPECT_EQ(refresh(ended.refresh).error().code, Errc::not_found);
    EXPECT_TRUE(is_there(personal));
}

TEST_F(AccountsContract, EndsTokensWithThePasswordIfAsked)
{
    const User ana = added_user("ana");
    const auto login = begun_login(ana);
    const Token personal = added_token('p', ana.id);
    const Token test = added_token('t', ana.id);
    const Token client = added_token('c');
    const Token others = added_token('p', added_user("ben").id);
    ASSERT_TRUE(change(ana, {.password_hash = "new", .ends_tokens = true}));
    for (const Token& gone : {login.access, login.refresh, personal, test})
        EXPECT_FALSE(is_there(gone));
    EXPECT_TRUE(is_there(client));
    EXPECT_TRUE(is_there(others));
}

TEST_F(AccountsContract, ChangesAPasswordOnlyIfItIsStillTheExpectedOne)
{
    const User ana = added_user("ana");
    const auto late = change(ana, {.password_hash = "mine", .expected_hash = "another"});
    EXPECT_EQ(late.error().code, Errc::conflict);
    EXPECT_EQ(found(ana).password_hash, ana.password_hash);
    EXPECT_TRUE(change(ana, {.password_hash = "mine", .expected_hash = ana.password_hash}));
    EXPECT_EQ(found(ana).password_hash, "mine");
}

TEST_F(AccountsContract, ReplacesAHashOnlyWhereItIsStillThatOne)
{
    const User ana = added_user("ana");
    const auto login = begun_login(ana);
    EXPECT_TRUE(block_on(accounts().replace_hash(ana.id, "another", "worse")));
    EXPECT_TRUE(block_on(accounts().replace_hash("usr_none", "another", "worse")));
    EXPECT_EQ(found(ana).password_hash, ana.password_hash);
    EXPECT_TRUE(block_on(accounts().replace_hash(ana.id, ana.password_hash, "better")));
    EXPECT_EQ(found(ana).password_hash, "better");
    EXPECT_TRUE(is_there(login.access));
}

TEST_F(AccountsContract, RemovesAUserWithAllThatIsTheirs)
{
    const User ana = added_user("ana");
    const User ben = added_user("ben");
    const auto login = begun_login(ana);
    const Token successor = refresh(login.refresh).value().refresh;
    const Token personal = added_token('p', ana.id);
    const auto others = begun_login(ben);
    Token made_by_ana = new_token('t', ben.id);
    made_by_ana.created_by = ana.id;
    ASSERT_TRUE(block_on(tokens().add_token(made_by_ana)));
    const Token client = added_token('c');

    ASSERT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_FALSE(is_user(ana));
    for (const Token& gone : {login.access, login.refresh, successor, personal})
        EXPECT_FALSE(is_there(gone));
    EXPECT_TRUE(listed(ana.id).items.empty());
    for (const Token& stays : {others.access, others.refresh, made_by_ana, client})
        EXPECT_TRUE(is_there(stays));
    EXPECT_EQ(listed(ben.id).items.size(), 2U);
}

TEST_F(AccountsContract, TakesWritesOfManyAtOnceAndLosesNone)
{
    constexpr int writers = 200;
    std::vector<Task<Result<AddedUser>>> tasks;
    for (int i = 0; i < writers; ++i) {
        tasks.push_back(accounts().add_user(new_user(std::to_string(i))));
        tasks.push_back(accounts().add_user(new_user(std::to_string(i))));
    }
    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }),
              writers);
    std::set<std::string> names;
    for (const User& user : page(std::nullopt, 1000).items) names.insert(user.username);
    EXPECT_EQ(names.size(), static_cast<std::size_t>(writers));
}

TEST_F(AccountsContract, StoresTheAuditEventWithTheChangeOrNeither)
{
    const User last = new_user("ana", Role::operator_);
    const User ben = new_user("ben");
    std::vector<AuditEvent> events;
    const auto event = [&] { return events.emplace_back(new_event()); };
    ASSERT_TRUE(block_on(accounts().add_first_operator(last, event())));
    ASSERT_TRUE(block_on(accounts().add_user(ben, event())));
    ASSERT_TRUE(
        block_on(accounts().change_user(ben.id, {.display_name = "B"}, {event(), event()})));
    ASSERT_TRUE(block_on(accounts().remove_user(ben.id, event())));
    std::ranges::reverse(events);
    EXPECT_EQ(audited(), events);

    const auto untold = [&] { return new_event(); };
    EXPECT_FALSE(block_on(accounts().add_first_operator(ben, untold())));
    EXPECT_FALSE(block_on(accounts().add_user(last, untold())));
    EXPECT_FALSE(block_on(accounts().change_user(last.id, {.disabled = true}, {untold()})));
    EXPECT_FALSE(block_on(accounts().change_user(ben.id, {}, {untold()})));
    EXPECT_FALSE(block_on(accounts().remove_user(last.id, untold())));
    EXPECT_EQ(audited(), events);
}

TEST_F(AccountsContract, KeepsWhatItSaidItKept)
{
    if (!keeps()) return;
    const User ana = added_user("ana", Role::operator_);
    const User ben = added_user("ben");
    ASSERT_TRUE(block_on(accounts().remove_user(ben.id)));
    reopen();
    EXPECT_EQ(page(std::nullopt, 10).items, std::vector{ana});
    EXPECT_TRUE(block_on(accounts().has_operator()).value());
    EXPECT_EQ(block_on(accounts().add_user(new_user("ana"))).error().code, Errc::conflict);
}

}  // namespace
}  // namespace parley::store
