// The contract tests of identities.
#include "store/contract_fixture.hpp"

#include <algorithm>

namespace parley::store {
namespace {

class IdentitiesContract : public ContractTest {
protected:
    static inline const Identity ana{"https://id.example.org", "a-1"};

    Identities& identities() { return store->identities(); }
    // An identified user has no password.
    User user_without_password(const std::string& name)
    {
        User user = new_user(name);
        user.password_hash.clear();
        return user;
    }
    Result<> add(const User& user, const Identity& identity)
    {
        return block_on(identities().add_user(user, identity));
    }
    Result<User> find(const Identity& identity)
    {
        return block_on(identities().find_user(identity));
    }
    bool is_known(const std::string& id) { return block_on(accounts().find_user(id)).has_value(); }
    Result<> use(unsigned char number, TimePoint expires_at)
    {
        CodeHash attempt{};
        attempt[31] = number;
        return block_on(identities().use_attempt(attempt, expires_at, clock.now()));
    }
};

TEST_F(IdentitiesContract, FindsAUserByIssuerAndSubject)
{
    EXPECT_EQ(find(ana).error().code, Errc::not_found);
    const User user = user_without_password("ana");
    ASSERT_TRUE(add(user, ana));
    EXPECT_EQ(find(ana).value(), user);
    EXPECT_EQ(block_on(accounts().find_user_by_name("ana")).value(), user);
    for (const Identity& other : {Identity{ana.issuer, "A-1"}, Identity{ana.issuer, "a-1 "},
                                  Identity{ana.issuer + "/", "a-1"}, Identity{"", "a-1"}})
        EXPECT_EQ(find(other).error().code, Errc::not_found) << other.issuer << other.subject;
    if (!keeps()) return;
    reopen();
    EXPECT_EQ(find(ana).value(), user);
}

TEST_F(IdentitiesContract, TakesOverNoUserByName)
{
    const User user = added_user("ana");
    const User stranger = user_without_password("ana");
    EXPECT_EQ(add(stranger, ana).error().code, Errc::conflict);
    EXPECT_EQ(find(ana).error().code, Errc::not_found);
    EXPECT_EQ(block_on(accounts().find_user_by_name("ana")).value(), user);
}

TEST_F(IdentitiesContract, GivesAnIdentityToOneUser)
{
    const User first = user_without_password("first");
    const User second = user_without_password("second");
    ASSERT_TRUE(add(first, ana));
    EXPECT_EQ(add(second, ana).error().code, Errc::conflict);
    EXPECT_FALSE(is_known(second.id)) << "a user without an identity would be left";
    EXPECT_EQ(find(ana).value(), first);
}

TEST_F(IdentitiesContract, GivesAnIdentityToOneOfManyAtOnce)
{
    std::vector<User> users;
    for (int i = 0; i < 4; ++i) users.push_back(user_without_password("u" + std::to_string(i)));
    std::vector<Task<Result<>>> tasks;
    for (const User& user : users) tasks.push_back(identities().add_user(user, ana));
    const auto added = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(added, [](const auto& each) { return each.has_value(); }), 1);
    const auto known = std::ranges::count_if(users, [&](const User& u) { return is_known(u.id); });
    EXPECT_EQ(known, 1);
    EXPECT_TRUE(find(ana));
}

TEST_F(IdentitiesContract, AreRemovedWithTheirUser)
{
    const User user = user_without_password("ana");
    ASSERT_TRUE(add(user, ana));
    ASSERT_TRUE(block_on(accounts().remove_user(user.id)));
    EXPECT_EQ(find(ana).error().code, Errc::not_found);
    EXPECT_TRUE(add(user_without_password("ana"), ana)) << "they may come again";
}

TEST_F(IdentitiesContract, StoresTheUserWithTheAuditEvent)
{
    const User user = user_without_password("ana");
    const AuditEvent event{.id = new_id("evt", clock.now()),
                           .at = clock.now(),
                           .actor = "oidc",
                           .action = "user.created",
                           .target = user.id,
                           .address = "192.0.2.7",
                           .request_id = "req_1"};
    ASSERT_TRUE(block_on(identities().add_user(user, ana, event)));
    const auto page = block_on(store->audit().list(std::nullopt, 10)).value();
    ASSERT_EQ(page.items.size(), 1U);
    EXPECT_EQ(page.items.front().target, user.id);
}

TEST_F(IdentitiesContract, UsesAnAttemptOnce)
{
    EXPECT_TRUE(use(1, clock.now() + 10min));
    EXPECT_TRUE(use(2, clock.now() + 10min));
    EXPECT_EQ(use(1, clock.now() + 10min).error().code, Errc::conflict);
    clock.advance(10min);
    EXPECT_EQ(use(1, clock.now()).error().code, Errc::conflict) << "until it has expired";
    clock.advance(1ms);
    EXPECT_TRUE(use(1, clock.now())) << "expired ones are forgotten; their caller refuses them";
    if (!keeps()) return;
    EXPECT_TRUE(use(3, clock.now() + 10min));
    reopen();
    EXPECT_EQ(use(3, clock.now() + 10min).error().code, Errc::conflict);
}

}  // namespace
}  // namespace parley::store
