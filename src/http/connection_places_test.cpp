#include "http/connection_places.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::http {
namespace {

class ConnectionPlacesTest : public testing::Test {
protected:
    bool come(const std::string& address)
    {
        auto place = std::make_unique<ConnectionPlaces::Place>(places);
        if (!place->take(boost::asio::ip::make_address(address))) return false;
        taken.push_back(std::move(place));
        return true;
    }

    ConnectionPlaces places{3};
    std::vector<std::unique_ptr<ConnectionPlaces::Place>> taken;
};

TEST_F(ConnectionPlacesTest, AnAddressHasSoMany)
{
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(come("192.0.2.1"));
    EXPECT_FALSE(come("192.0.2.1"));
    EXPECT_FALSE(come("::ffff:192.0.2.1"));
    EXPECT_TRUE(come("192.0.2.2"));
    taken.erase(taken.begin());
    EXPECT_TRUE(come("192.0.2.1"));
    EXPECT_FALSE(come("192.0.2.1"));
}

TEST_F(ConnectionPlacesTest, ASiteHasTenTimesAsMany)
{
    for (int i = 0; i < 30; ++i)
        EXPECT_TRUE(come("2001:db8:1:" + std::to_string(i) + "::" + std::to_string(i)));
    EXPECT_FALSE(come("2001:db8:1:99::1"));
    EXPECT_TRUE(come("2001:db8:2:99::1")) << "of another site";
    taken.erase(taken.begin());
    EXPECT_TRUE(come("2001:db8:1:99::1"));
    EXPECT_FALSE(come("2001:db8:1:99::1"));
}

TEST_F(ConnectionPlacesTest, IPv4HasNoSites)
{
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(come("192.0.2." + std::to_string(i)));
}

TEST_F(ConnectionPlacesTest, ARefusalTakesNothing)
{
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(come("2001:db8:1:1::1"));
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(come("2001:db8:1:1::2"));
    for (int i = 0; i < 27; ++i) EXPECT_TRUE(come("2001:db8:1:2" + std::to_string(i) + "::"));
    EXPECT_FALSE(come("2001:db8:1:1234::1"));
}

TEST(ConnectionPlaces, NoneIsNoLimit)
{
    ConnectionPlaces places(0);
    std::vector<std::unique_ptr<ConnectionPlaces::Place>> taken;
    for (int i = 0; i < 1000; ++i) {
        taken.push_back(std::make_unique<ConnectionPlaces::Place>(places));
        EXPECT_TRUE(taken.back()->take(boost::asio::ip::make_address("2001:db8::1")));
    }
}

}  // namespace
}  // namespace parley::http
