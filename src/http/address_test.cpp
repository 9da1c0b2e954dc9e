#include "http/address.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(Address, IsReadAndWrittenTheSameWay)
{
    for (const char* text : {"127.0.0.1:8080", "0.0.0.0:0", "[::1]:443", "[::]:65535"}) {
        const auto address = parse_address(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(to_text(*address), text);
    }
    EXPECT_EQ(to_text(*parse_address("localhost:80")), "127.0.0.1:80");
}

TEST(Address, MustHaveAHostAndAPort)
{
    for (const char* text :
         {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:80x",
          "127.0.0.1:-1", "::1:80", "[127.0.0.1]:80", "[::1]", "example.org:80", "[::1]:"})
        EXPECT_FALSE(parse_address(text)) << text;
}

TEST(Address, OneClientIsAnAddressOrASlash64)
{
    const auto network = [](const char* text) {
        return network_of(boost::asio::ip::make_address(text));
    };
    EXPECT_NE(network("192.0.2.1"), network("192.0.2.2"));
    EXPECT_EQ(network("192.0.2.1"), network("::ffff:192.0.2.1"));
    EXPECT_EQ(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::"));
    EXPECT_NE(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    EXPECT_EQ(network("fe80::1%1"), network("fe80::1"));
}

}  // namespace
}  // namespace parley::http
