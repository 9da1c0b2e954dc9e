#include "auth/people_for_tests.hpp"

namespace parley::auth {
namespace {

// A server that was restarted with more expensive hashes than the stored ones.
class RehashTest : public PeopleTest {
protected:
    std::string stored_hash()
    {
        return block_on(store->accounts().find_user(user.id))->password_hash;
    }
    Verdict verdict_on(const std::string& hash)
    {
        return block_on(dearer.verify(hash, Secret(password))).value();
    }

    const store::User user = add("ana");
    PasswordHasher dearer{{.cost = {.passes = 2, .memory = 16384}}};
    Logins logins_now{*store, dearer, authenticator, factors, time};
};

TEST_F(RehashTest, ALoginPutsAHashOfTodaysCostInThePlaceOfAnOldOne)
{
    const std::string old = stored_hash();
    ASSERT_EQ(verdict_on(old), Verdict::ok_but_old);
    ASSERT_TRUE(block_on(logins_now.log_in("ana", Secret(password), "", origin)));
    const std::string fresh = stored_hash();
    EXPECT_NE(fresh, old);
    EXPECT_EQ(verdict_on(fresh), Verdict::ok);
    // Only once: the next login changes nothing.
    ASSERT_TRUE(block_on(logins_now.log_in("ana", Secret(password), "", origin)));
    EXPECT_EQ(stored_hash(), fresh);
}

TEST_F(RehashTest, WhoeverDoesNotKnowThePasswordChangesNothing)
{
    const std::string old = stored_hash();
    EXPECT_FALSE(block_on(logins_now.log_in("ana", Secret("not what she chose"), "", origin)));
    EXPECT_EQ(stored_hash(), old);
}

}  // namespace
}  // namespace parley::auth
