#include "webhook/places.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace parley::webhook {
namespace {

class PlacesTest : public testing::Test {
protected:
    void take(const std::string& host, const std::string& user, bool failing = false)
    {
        taken_.emplace_back(places_, host, user, failing);
    }
    static std::string numbered(const char* name, int number)
    {
        return name + std::to_string(number);
    }

    Places places_{{.all = 8, .of_host = 4, .of_endpoint = 2}};
    std::deque<Places::Taken> taken_;  // Destroyed first.
    const std::string a_ = "a:443";
    const std::string b_ = "b:443";
    const std::string ana_ = "ana";
    const std::string ben_ = "ben";
};

TEST_F(PlacesTest, LimitAnEndpoint)
{
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_, .taken = 1}));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_, .taken = 2}));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_, .taken = 1, .ordered = true}));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_, .taken = 1, .failing = true}));
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_, .ordered = true, .failing = true}));
}

TEST_F(PlacesTest, LimitAHost)
{
    for (int i = 0; i < 4; ++i) take(a_, numbered("user", i));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_}));
    EXPECT_TRUE(places_.has_one_for({.host = b_, .user = ana_}));
    taken_.pop_back();
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_}));
}

TEST_F(PlacesTest, LeaveHalfOfAHostToOtherUsers)
{
    take(a_, ana_);
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_}));
    take(a_, ana_);
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_}));
    EXPECT_TRUE(places_.has_one_for({.host = b_, .user = ana_}));
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ben_}));
    take(a_, ben_);
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ben_}));
}

TEST_F(PlacesTest, LeaveHalfToUsersThatHaveNone)
{
    for (int i = 0; i < 4; ++i) {
        EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_}));
        take(numbered("host", i), ana_);
    }
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_}));
    for (int i = 0; i < 4; ++i) {
        EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ben_}));
        take(numbered("host", i), numbered("user", i));
    }
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ben_}));
    taken_.clear();
    EXPECT_EQ(places_.taken(), 0U);
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_}));
}

TEST_F(PlacesTest, LeaveHalfToEndpointsThatDoNotFail)
{
    for (int i = 0; i < 4; ++i) take(numbered("host", i), numbered("user", i), true);
    EXPECT_FALSE(places_.has_one_for({.host = a_, .user = ana_, .failing = true}));
    EXPECT_TRUE(places_.has_one_for({.host = a_, .user = ana_}));
}

}  // namespace
}  // namespace parley::webhook
