#include "webhook/lookups.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace parley::webhook {
namespace {

TEST(LookupsTest, AreBoundedForEachUser)
{
    const auto lookups = std::make_shared<Lookups>();
    std::vector<std::shared_ptr<void>> active;
    for (std::size_t i = 0; i < Lookups::most_of_user; ++i) {
        active.push_back(lookups->begin("usr_ana"));
        ASSERT_TRUE(active.back());
    }
    EXPECT_FALSE(lookups->begin("usr_ana"));
    EXPECT_TRUE(lookups->begin("usr_ben"));
    active.pop_back();
    EXPECT_TRUE(lookups->begin("usr_ana"));
}

}  // namespace
}  // namespace parley::webhook
