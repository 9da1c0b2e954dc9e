#include "webhook/rotation.hpp"

#include <gtest/gtest.h>

namespace parley::webhook {
namespace {

using namespace std::chrono_literals;

using Texts = std::vector<std::string_view>;

const TimePoint begin(1'000'000h);

TEST(Rotation, LeavesEarlierOverlapsAsTheyAre)
{
    const auto first = old_after_rotation({}, "a", 60s, begin).value();
    const auto second = old_after_rotation(first, "b", 10s, begin + 1s).value();
    EXPECT_EQ(valid_ones(second, begin + 1s), (Texts{"b", "a"})) << "the newest first";
    EXPECT_EQ(valid_ones(second, begin + 11s), Texts{"a"}) << "each until its own time";
    EXPECT_EQ(valid_ones(second, begin + 60s), Texts{});
    EXPECT_EQ(old_after_rotation(second, "c", 10s, begin + 11s).value().size(), 2U)
        << "those that have ended are gone";
}

TEST(Rotation, WithoutAnOverlapEndsAll)
{
    const auto first = old_after_rotation({}, "a", 60s, begin).value();
    EXPECT_TRUE(old_after_rotation(first, "b", 0s, begin).value().empty());
}

TEST(Rotation, KeepsOnlySoMany)
{
    store::OldSecrets old;
    for (std::size_t i = 0; i < most_old_secrets; ++i)
        old = old_after_rotation(old, "a", 60s, begin).value();
    EXPECT_EQ(old_after_rotation(old, "b", 60s, begin).error().code, Errc::conflict);
    EXPECT_TRUE(old_after_rotation(old, "b", 60s, begin + 60s));
    EXPECT_TRUE(old_after_rotation(old, "b", 0s, begin));
}

}  // namespace
}  // namespace parley::webhook
