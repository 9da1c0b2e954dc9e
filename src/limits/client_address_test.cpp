#include "limits/client_address.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::limits {
namespace {

using namespace std::string_literals;

TrustedProxies trusting(const std::vector<std::string>& list)
{
    return TrustedProxies::parse(list).value();
}

// A proxy on this machine, one in a private network, one reached by IPv6.
const std::vector<std::string> proxies = {"127.0.0.1", "10.0.0.0/8", "2001:db8:ffff::/48"};

std::string client(const char* peer, const std::vector<std::string_view>& forwarded_for,
                   const std::vector<std::string>& trusted = proxies)
{
    return client_address(boost::asio::ip::make_address(peer), forwarded_for, trusting(trusted))
        .to_string();
}

TEST(ClientAddress, IsThePeersWhereNobodyIsTrusted)
{
    EXPECT_EQ(client("192.0.2.7", {}, {}), "192.0.2.7");
    EXPECT_EQ(client("192.0.2.7", {"198.51.100.1"}, {}), "192.0.2.7");
    EXPECT_EQ(client("127.0.0.1", {"198.51.100.1"}, {}), "127.0.0.1");
}

TEST(ClientAddress, BelievesNothingThatAStrangerSays)
{
    EXPECT_EQ(client("192.0.2.7", {"198.51.100.1"}), "192.0.2.7");
    EXPECT_EQ(client("192.0.2.7", {"127.0.0.1, 10.0.0.1"}), "192.0.2.7");
}

TEST(ClientAddress, IsWhatATrustedProxyAppended)
{
    EXPECT_EQ(client("127.0.0.1", {"198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("10.1.2.3", {"2001:db8::1"}), "2001:db8::1");
    EXPECT_EQ(client("2001:db8:ffff::9", {"198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {}), "127.0.0.1");
}

TEST(ClientAddress, IsNotWhatTheClientWroteBeforeTheProxyDid)
{
    EXPECT_EQ(client("127.0.0.1", {"203.0.113.9, 198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"203.0.113.9", "198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"10.0.0.1,127.0.0.1,198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"203.0.113.9, 198.51.100.1, 10.0.0.5"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"203.0.113.9, 198.51.100.1", "10.0.0.5", "10.0.0.6"}),
              "198.51.100.1");
}

TEST(ClientAddress, IsTheFirstProxysWhereAllAreTrusted)
{
    EXPECT_EQ(client("127.0.0.1", {"10.0.0.2, 10.0.0.1"}), "10.0.0.2");
}

TEST(ClientAddress, StopsAtWhatIsNoAddress)
{
    for (const std::string& garbage : {""s,
                                       " "s,
                                       "unknown"s,
                                       "_hidden"s,
                                       "198.51.100"s,
                                       "198.51.100.256"s,
                                       "0x7f.0.0.1"s,
                                       "010.0.0.1"s,
                                       "2130706433"s,
                                       "198.51.100.1 198.51.100.2"s,
                                       "198.51.100.1\0"s,
                                       "198.51.100.1\0x"s,
                                       "fe80::1%eth0"s,
                                       "\"198.51.100.1\""s,
                                       "198.51.100.1/32"s,
                                       "198.51.100.1:"s,
                                       "198.51.100.1:x"s,
                                       "198.51.100.1:65536"s,
                                       "198.51.100.1:-1"s,
                                       ":80"s,
                                       "[2001:db8::1"s,
                                       "2001:db8::1]"s,
                                       "[]"s,
                                       "[2001:db8::1]x"s,
                                       "[2001:db8::1]:"s,
                                       "[198.51.100.1]"s,
                                       "[[2001:db8::1]]"s,
                                       ":::"s,
                                       "2001:db8::1::"s,
                                       std::string(16'000, '1'),
                                       "for=198.51.100.1"s,
                                       "\xff"s,
                                       "198.51.100.1;198.51.100.2"s}) {
        EXPECT_EQ(client("127.0.0.1", {garbage}), "127.0.0.1") << garbage;
        const std::string behind_a_proxy = "203.0.113.9, " + garbage + ", 10.0.0.5";
        EXPECT_EQ(client("127.0.0.1", {behind_a_proxy}), "10.0.0.5") << garbage;
        const std::string before_the_client = garbage + ",198.51.100.1";
        EXPECT_EQ(client("127.0.0.1", {before_the_client}), "198.51.100.1") << garbage;
    }
}

TEST(ClientAddress, MayHaveAPortAndBrackets)
{
    EXPECT_EQ(client("127.0.0.1", {"198.51.100.1:4711"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"[2001:db8::1]:4711"}), "2001:db8::1");
    EXPECT_EQ(client("127.0.0.1", {"[2001:DB8::1]"}), "2001:db8::1");
    EXPECT_EQ(client("127.0.0.1", {"\t 198.51.100.1 \t"}), "198.51.100.1");
}

TEST(ClientAddress, UnderstandsMappedAddressesEverywhere)
{
    EXPECT_EQ(client("::ffff:192.0.2.7", {}), "192.0.2.7");
    EXPECT_EQ(client("::ffff:127.0.0.1", {"198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"198.51.100.1, ::ffff:10.0.0.5"}), "198.51.100.1");
    EXPECT_EQ(client("127.0.0.1", {"::ffff:198.51.100.1"}), "198.51.100.1");
    EXPECT_EQ(client("10.0.0.5", {"198.51.100.1"}, {"::ffff:10.0.0.0/104"}), "198.51.100.1");
    EXPECT_EQ(client("11.0.0.5", {"198.51.100.1"}, {"::ffff:10.0.0.0/104"}), "11.0.0.5");
}

TEST(ClientAddress, CountsALongListOfProxiesInReasonableTime)
{
    std::string list = "198.51.100.1";
    for (int i = 0; i < 1500; ++i) list += ",10.0.0.1";
    EXPECT_EQ(client("127.0.0.1", {list}), "198.51.100.1");
}

TEST(TrustedProxies, EndWhereTheirNetworkEnds)
{
    const auto trusted = trusting({"192.0.2.128/25", "2001:db8:8000::/33", "203.0.113.7"});
    const auto trusts = [&](const char* address) {
        return trusted.trusts(boost::asio::ip::make_address(address));
    };
    EXPECT_FALSE(trusts("192.0.2.127"));
    EXPECT_TRUE(trusts("192.0.2.128"));
    EXPECT_TRUE(trusts("192.0.2.255"));
    EXPECT_FALSE(trusts("192.0.3.128"));
    EXPECT_FALSE(trusts("2001:db8:7fff::"));
    EXPECT_TRUE(trusts("2001:db8:8000::"));
    EXPECT_TRUE(trusts("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"));
    EXPECT_TRUE(trusts("203.0.113.7"));
    EXPECT_FALSE(trusts("203.0.113.6"));
    EXPECT_FALSE(trusts("::203.0.113.7"));  // "Compatible" is another form than "mapped".
    EXPECT_FALSE(TrustedProxies().trusts(boost::asio::ip::make_address("127.0.0.1")));
}

TEST(TrustedProxies, RefuseWhatIsNoNetwork)
{
    for (const std::string& wrong :
         {""s, "localhost"s, "10.0.0.0/33"s, "10.0.0.0/"s, "10.0.0.0/-1"s, "10.0.0.0/8/8"s,
          "10.0.0/8"s, "2001:db8::/129"s, "10.0.0.0/8x"s, "fe80::1%1"s, "*"s, "10.0.0.0/ 8"s})
        EXPECT_EQ(TrustedProxies::parse(std::vector{wrong}).error().message,
                  "\"" + wrong +
                      "\" is neither an address, such as 127.0.0.1, nor a network, such as "
                      "10.0.0.0/8 or 2001:db8::/32.");
}

TEST(TrustedProxies, RefuseToTrustEverybody)
{
    for (const std::string& all : {"0.0.0.0/0"s, "::/0"s, "::ffff:0.0.0.0/96"s, "::/64"s, "::/80"s})
        EXPECT_NE(TrustedProxies::parse(std::vector{all}).error().message.find("every client"),
                  std::string::npos)
            << all;
}

TEST(TrustedProxies, NameTheNetworkThatAnAddressLiesIn)
{
    EXPECT_EQ(TrustedProxies::parse(std::vector{"10.1.2.3/8"s}).error().message,
              "\"10.1.2.3/8\" is an address inside a network; the network is 10.0.0.0/8.");
    EXPECT_EQ(TrustedProxies::parse(std::vector{"2001:db8::1/32"s}).error().message,
              "\"2001:db8::1/32\" is an address inside a network; the network is 2001:db8::/32.");
}

}  // namespace
}  // namespace parley::limits
