#include "limits/key.hpp"

#include "limits/classes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::limits {
namespace {

std::string bytes(const char* address)
{
    return std::string(Key::address(boost::asio::ip::make_address(address)).bytes());
}

TEST(Key, TakesAnIpv4AddressWhole)
{
    EXPECT_EQ(bytes("192.0.2.7"), std::string("\xC0\x00\x02\x07", 4));
    EXPECT_NE(bytes("192.0.2.7"), bytes("192.0.2.8"));
}

TEST(Key, TakesTheFirstHalfOfAnIpv6Address)
{
    EXPECT_EQ(bytes("2001:db8:1:2::1"), bytes("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    EXPECT_NE(bytes("2001:db8:1:2::1"), bytes("2001:db8:1:3::1"));
    EXPECT_NE(bytes("::"), bytes("0.0.0.0"));
}

TEST(Key, TakesAMappedAddressForTheIpv4AddressThatItIs)
{
    EXPECT_EQ(bytes("::ffff:192.0.2.7"), bytes("192.0.2.7"));
    EXPECT_NE(bytes("::ffff:192.0.2.7"), bytes("::ffff:192.0.2.8"));
}

TEST(Key, DoesNotSeeTheInterfaceOfALinkLocalAddress)
{
    EXPECT_EQ(bytes("fe80::1%1"), bytes("fe80::1%2"));
}

TEST(Key, KeepsItsAddressWhenItIsCopied)
{
    const auto make = [] { return Keys(Key::address(boost::asio::ip::make_address("192.0.2.7"))); };
    const Keys keys = make();
    EXPECT_EQ(keys.all().size(), 1U);
    EXPECT_EQ(keys.all()[0].bytes(), bytes("192.0.2.7"));
}

TEST(Classes, HaveTheNamesAndNumbersOfTheContract)
{
    const Limits limits;
    EXPECT_EQ(name(Class::chat), "chat");
    EXPECT_EQ(name(Class::auth), "auth");
    EXPECT_EQ(name(Class::general), "general");
    EXPECT_EQ(limits.of(Class::chat), 30U);
    EXPECT_EQ(limits.of(Class::auth), 10U);
    EXPECT_EQ(limits.of(Class::general), 100U);
    EXPECT_EQ(limits.window, std::chrono::seconds(60));
    EXPECT_TRUE(check(limits));
}

TEST(Classes, RefuseNumbersThatCannotBeHeld)
{
    EXPECT_EQ(check({.auth = 0}).error().message,
              "limits.auth must be a whole number from 1 to 1000000.");
    EXPECT_FALSE(check({.chat = Limits::max_limit + 1}));
    EXPECT_TRUE(check({.chat = Limits::max_limit}));
    EXPECT_EQ(check({.window = std::chrono::seconds(0)}).error().message,
              "limits.window_s must be a whole number from 1 to 86400.");
    EXPECT_FALSE(check({.window = Limits::max_window + std::chrono::seconds(1)}));
}

}  // namespace
}  // namespace parley::limits
