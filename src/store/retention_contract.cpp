// The contract tests of retention: which sessions are idle.
#include "store/moving_contract_fixture.hpp"

#include <gmock/gmock.h>

namespace parley::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RetentionContract : public MovingContract {};

TEST_F(RetentionContract, KnowsIdleSessions)
{
    const Session mine = created(anas);
    const Session test = created(anas_test);
    const Session kept = created(anas);
    ASSERT_TRUE(
        block_on(sessions().change_session(anas, kept.id, {.keep = true, .now = clock.now()})));
    const Session bens_own = created(bens);
    std::vector own{mine.id, test.id};
    std::ranges::sort(own);
    EXPECT_THAT(idle_after(10'000h), IsEmpty());
    set_retention(ana, 30);
    EXPECT_THAT(idle_after(29 * 24h), IsEmpty());
    EXPECT_EQ(idle_after(31 * 24h), own);
    EXPECT_THAT(idle_after(31 * 24h, 90), testing::SizeIs(2));
    EXPECT_THAT(idle_after(91 * 24h, 90), testing::SizeIs(3));
    EXPECT_THAT(idle_after(8 * 24h, 7), testing::SizeIs(3));
    set_retention(ana, std::nullopt);
    EXPECT_THAT(idle_after(31 * 24h), IsEmpty());
    EXPECT_EQ(block_on(accounts().find_user(ana.id)).value().retention_days, std::nullopt);
    set_retention(ben, 1);
    EXPECT_EQ(block_on(accounts().find_user(ben.id)).value().retention_days, 1);
    const auto idle = block_on(sessions().idle_sessions(clock.now() + 48h, {}, 100)).value();
    ASSERT_EQ(idle.size(), 1U);
    EXPECT_EQ(idle[0].owner, bens);
    EXPECT_EQ(idle[0].revision, found(bens_own).revision);
    asked(bens_own);
    EXPECT_TRUE(idle_after(23h).empty());
}

TEST_F(RetentionContract, CountsAnImportAsActivity)
{
    set_retention(ana, 30);
    NewImport import = new_import(anas, 1);
    import.session.created_at -= 24h * 365;
    import.session.updated_at = import.session.created_at;
    ASSERT_TRUE(imported(import));
    EXPECT_THAT(idle_after(24h), IsEmpty());
    EXPECT_THAT(idle_after(31 * 24h), ElementsAre(import.session.id));
}

}  // namespace
}  // namespace parley::store
