// The contract tests of one-time codes for setting a password.
#include "store/contract_fixture.hpp"

#include <algorithm>

namespace parley::store {
namespace {

class PasswordCodesContract : public ContractTest {
protected:
    static CodeHash code(unsigned char number)
    {
        CodeHash hash{};
        hash[31] = number;
        return hash;
    }
    User link(const User& user, unsigned char number)
    {
        return block_on(accounts().change_user(user.id,
                                               {.reset_link = {{code(number), clock.now() + 24h}}}))
            .value();
    }
    Result<User> to_reset(unsigned char number)
    {
        return block_on(accounts().find_user_to_reset(code(number), clock.now()));
    }
    Result<User> reset(unsigned char number, const std::string& hash)
    {
        return block_on(accounts().reset_password(code(number), clock.now(), hash));
    }
};

TEST_F(PasswordCodesContract, FindsAUserByTheNewestLink)
{
    const User ana = added_user("ana");
    const User changed = link(ana, 1);
    ASSERT_TRUE(changed.reset_link);
    EXPECT_EQ(changed.reset_link->expires_at, clock.now() + 24h);
    EXPECT_EQ(to_reset(1).value(), changed);
    link(ana, 2);
    EXPECT_EQ(to_reset(1).error().code, Errc::not_found);
    EXPECT_TRUE(to_reset(2));
    EXPECT_EQ(to_reset(0).error().code, Errc::not_found);
    EXPECT_EQ(block_on(accounts().find_invited_user(code(2), clock.now())).error().code,
              Errc::not_found)
        << "it is no invitation";
}

TEST_F(PasswordCodesContract, ResetsAPasswordOnceAndEndsLoginsAndTokens)
{
    const User ana = added_user("ana");
    const auto login = begun_login(ana);
    const Token personal = added_token('p', ana.id);
    const auto others = begun_login(added_user("ben"));
    link(ana, 1);
    const AuditEvent event = new_event(ana.id);
    const auto changed =
        block_on(accounts().reset_password(code(1), clock.now(), "new", {}, event));
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->password_hash, "new");
    EXPECT_EQ(changed->reset_link, std::nullopt);
    EXPECT_FALSE(is_there(login.access));
    EXPECT_FALSE(is_there(personal));
    EXPECT_TRUE(is_there(others.access));
    EXPECT_EQ(audited(), std::vector{event});
    EXPECT_EQ(reset(1, "again").error().code, Errc::not_found);
    EXPECT_EQ(block_on(accounts().find_user(ana.id))->password_hash, "new");
}

TEST_F(PasswordCodesContract, EndsALinkWithItsTimeAnotherPasswordAndADisabledUser)
{
    const User ana = added_user("ana");
    link(ana, 1);
    clock.advance(24h - 1ms);
    EXPECT_TRUE(to_reset(1));
    clock.advance(1ms);
    EXPECT_FALSE(to_reset(1));
    EXPECT_EQ(reset(1, "late").error().code, Errc::not_found);
    link(ana, 2);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.password_hash = "other"})));
    EXPECT_FALSE(to_reset(2));
    link(ana, 3);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = true})));
    EXPECT_EQ(reset(3, "of a disabled user").error().code, Errc::not_found);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = false})));
    EXPECT_TRUE(reset(3, "enabled"));
}

TEST_F(PasswordCodesContract, LetsOneOfManyResetsWin)
{
    const User ana = added_user("ana");
    link(ana, 1);
    std::vector<Task<Result<User>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(accounts().reset_password(code(1), clock.now(), std::to_string(i)));
    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }), 1);
}

}  // namespace
}  // namespace parley::store
