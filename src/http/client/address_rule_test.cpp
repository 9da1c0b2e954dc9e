#include "http/client/address_rule.hpp"

#include "http/client/blocking.hpp"
#include "http/client/peer_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

namespace ip = boost::asio::ip;

bool is_public_text(const std::string& text) { return is_public(ip::make_address(text)); }

// One address below and one above the range; empty if another range refuses the neighbour.
struct Range {
    const char* before;
    const char* first;
    const char* last;
    const char* after;
};

constexpr std::array<Range, 22> refused_ranges{{
    {"", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
    {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
    {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
    {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
    {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
    {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
    {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
    {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
    {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
    {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
    {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
    {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
    {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
    {"223.255.255.255", "224.0.0.0", "239.255.255.255", ""},
    {"", "240.0.0.0", "255.255.255.255", ""},
    {"", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
    {"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:200::"},
    {"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
     "3fff:1000::"},
    {"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     ""},
    {"2002:9ff:ffff:ffff:ffff:ffff:ffff:ffff",
     "2002:a00::", "2002:aff:ffff:ffff:ffff:ffff:ffff:ffff", "2002:b00::"},
    {"2002:a9fd:ffff::1", "2002:a9fe::", "2002:a9fe:ffff::ffff", "2002:a9ff::"},
}};

TEST(AddressRule, RefusesEachRangeAndAllowsItsNeighbours)
{
    for (const Range& range : refused_ranges) {
        EXPECT_FALSE(is_public_text(range.first)) << range.first;
        EXPECT_FALSE(is_public_text(range.last)) << range.last;
        for (const std::string neighbour : {range.before, range.after})
            if (!neighbour.empty()) EXPECT_TRUE(is_public_text(neighbour)) << neighbour;
    }
}

TEST(AddressRule, RefusesOtherFormsOfRefusedAddresses)
{
    for (const char* text : {"::1",
                             "::ffff:127.0.0.1",
                             "::ffff:8.8.8.8",
                             "::127.0.0.1",
                             "::8.8.8.8",
                             "64:ff9b::7f00:1",
                             "64:ff9b::808:808",
                             "64:ff9b:1::1",
                             "fe80::1",
                             "fe80::1%1",
                             "fec0::1",
                             "fc00::1",
                             "fd00::1",
                             "ff02::1",
                             "100::1",
                             "5f00::1",
                             "2001:0:7f00:1::",
                             "2001:2::1",
                             "2002:7f00:1::1",
                             "2002:c0a8:101::1"})
        EXPECT_FALSE(is_public_text(text)) << text;
    for (const char* text :
         {"8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450::1", "2002:808:808::1"})
        EXPECT_TRUE(is_public_text(text)) << text;
}

TEST(AddressRule, AllowsNetworksThatAreOpened)
{
    const AddressRule rule = public_addresses(
        {Network::parse("127.0.0.0/8").value(), Network::parse("fd00:1::/32").value()});
    for (const char* text : {"127.0.0.1", "127.255.255.255", "fd00:1:ffff::1", "8.8.8.8"})
        EXPECT_TRUE(rule(ip::make_address(text))) << text;
    for (const char* text : {"::1", "::ffff:127.0.0.1", "10.0.0.1", "fd00:2::1"})
        EXPECT_FALSE(rule(ip::make_address(text))) << text;
}

TEST(Network, ReadsNetworksAlone)
{
    for (const char* text : {"10.0.0.0/8", "0.0.0.0/0", "127.0.0.1", "127.0.0.1/32", "::/0",
                             "::1/128", "fd00::/8", "172.16.0.0/12"})
        EXPECT_TRUE(Network::parse(text)) << text;
    for (const char* text :
         {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8 ", "10/8", "10.0.0.1/8",
          "fd00::1/8", "::/129", "localhost", "fe80::%1/10", "172.16.0.0/11"})
        EXPECT_FALSE(Network::parse(text)) << text;
}

TEST(Network, ReadsAListOfThem)
{
    EXPECT_EQ(parse_networks({"10.0.0.0/8", "::1"}).value().size(), 2U);
    EXPECT_EQ(parse_networks({"10.0.0.0/8", "10.0.0.1/8"}).error().message.find("\"10.0.0.1/8\""),
              0U);
}

ClientRequest guarded(const Url& url, AddressRule rule)
{
    ClientRequest request{.url = url};
    request.address_rule = std::move(rule);
    return request;
}

// Listens, and reports whether a connection was made; the kernel completes one without accept().
class SilentListener {
public:
    Url url(const std::string& host) const
    {
        const auto port = std::to_string(acceptor_.local_endpoint().port());
        return Url::parse("http://" + host + ":" + port + "/").value();
    }
    bool was_reached()
    {
        acceptor_.non_blocking(true);
        boost::system::error_code error;
        acceptor_.accept(error);
        return error != boost::asio::error::would_block;
    }

private:
    boost::asio::io_context context_;
    ip::tcp::acceptor acceptor_{context_, {ip::address_v4::loopback(), 0}};
};

TEST(AddressRule, KeepsTheClientFromConnecting)
{
    for (const char* host : {"127.0.0.1", "localhost"}) {
        SilentListener listener;
        BlockingClient client;
        const auto answer = client.send(guarded(listener.url(host), public_addresses()));
        ASSERT_FALSE(answer) << host;
        EXPECT_EQ(answer.error().kind, ClientFailure::refused_address) << host;
        EXPECT_TRUE(answer.error().before_sending);
        EXPECT_FALSE(listener.was_reached()) << host;
    }
}

TEST(AddressRule, IsAskedAboutEveryAddressBeforeTheFirstConnection)
{
    SilentListener listener;
    std::vector<ip::address> asked;
    BlockingClient client;
    const auto answer =
        client.send(guarded(listener.url("localhost"), [&](const ip::address& each) {
            asked.push_back(each);
            return false;
        }));
    EXPECT_FALSE(answer);
    EXPECT_FALSE(asked.empty());
    EXPECT_FALSE(listener.was_reached());
}

TEST(AddressRule, OneRefusedAddressOfSeveralRefusesAll)
{
    const std::vector<ip::tcp::endpoint> found{{ip::make_address("8.8.8.8"), 443},
                                               {ip::make_address("10.0.0.1"), 443}};
    EXPECT_FALSE(allowed_by(public_addresses(), found));
    EXPECT_TRUE(allowed_by(public_addresses(), {found.front()}));
    EXPECT_TRUE(allowed_by({}, found));
}

TEST(AddressRule, KeepsNoConnectionsAndUsesNone)
{
    const auto answering = ScriptedPeer::answering("HTTP/1.1 204 -\r\n\r\n");
    ScriptedPeer peer({answering, answering, answering});
    BlockingClient client;
    const AddressRule rule = public_addresses({Network::parse("127.0.0.0/8").value()});
    const auto idle = [&] {
        return client.run(
            [](Client& own) -> Task<std::size_t> { co_return own.idle_connections(); });
    };
    ASSERT_TRUE(client.send(guarded(peer.url(), rule)));
    EXPECT_EQ(idle(), 0U);
    ASSERT_TRUE(client.send({.url = peer.url()}));
    EXPECT_EQ(idle(), 1U);  // Only the one without a rule is pooled.
    ASSERT_TRUE(client.send(guarded(peer.url(), rule)));
    EXPECT_EQ(peer.connections(), 3U);
}

}  // namespace
}  // namespace parley::http::client
