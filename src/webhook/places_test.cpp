#include "webhook/places.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace parley::webhook {
namespace {

class PlacesTest : public testing::Test {
protected:
    void take(const std::string& host, bool failing = false)
    {
        taken_.emplace_back(places_, host, failing);
    }

    Places places_{{.all = 8, .of_host = 3, .of_endpoint = 2}};
    std::deque<Places::Taken> taken_;  // Destroyed first.
    const std::string a_ = "a:443";
    const std::string b_ = "b:443";
};

TEST_F(PlacesTest, LimitAnEndpoint)
{
    EXPECT_TRUE(places_.has_one_for({.host = a_, .taken = 1}));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .taken = 2}));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .taken = 1, .ordered = true}));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .taken = 1, .failing = true}));
    EXPECT_TRUE(places_.has_one_for({.host = a_, .ordered = true, .failing = true}));
}

TEST_F(PlacesTest, LimitAHost)
{
    for (int i = 0; i < 3; ++i) take(a_);
    EXPECT_FALSE(places_.has_one_for({.host = a_}));
    EXPECT_TRUE(places_.has_one_for({.host = b_}));
    taken_.pop_back();
    EXPECT_TRUE(places_.has_one_for({.host = a_}));
}

TEST_F(PlacesTest, LeaveHalfToEndpointsThatHaveNone)
{
    for (int i = 0; i < 4; ++i) take("host" + std::to_string(i));
    EXPECT_FALSE(places_.has_one_for({.host = a_, .taken = 1}));
    for (int i = 4; i < 8; ++i) {
        EXPECT_TRUE(places_.has_one_for({.host = a_}));
        take("host" + std::to_string(i));
    }
    EXPECT_FALSE(places_.has_one_for({.host = a_}));
    taken_.clear();
    EXPECT_EQ(places_.taken(), 0U);
}

TEST_F(PlacesTest, LeaveHalfToEndpointsThatDoNotFail)
{
    for (int i = 0; i < 4; ++i) take("host" + std::to_string(i), true);
    EXPECT_FALSE(places_.has_one_for({.host = a_, .failing = true}));
    EXPECT_TRUE(places_.has_one_for({.host = a_}));
}

}  // namespace
}  // namespace parley::webhook
