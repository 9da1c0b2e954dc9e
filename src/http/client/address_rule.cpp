#include "http/client/address_rule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace parley::http::client {
namespace {

namespace ip = boost::asio::ip;

template <class Bytes>
bool same_prefix(const Bytes& a, const Bytes& b, unsigned bits)
{
    const std::size_t whole = bits / 8;
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin()))
        return false;
    const unsigned rest = bits % 8;
    return rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0;
}

template <class Address>
bool ends_with_prefix(const Address& address, unsigned bits)
{
    auto bytes = address.to_bytes();
    for (unsigned bit = bits; bit < bytes.size() * 8; ++bit)
        if ((bytes[bit / 8] >> (7 - bit % 8) & 1U) != 0) return false;
    return true;
}

std::vector<Network> networks(std::initializer_list<const char*> texts)
{
    std::vector<Network> parsed;
    for (const char* text : texts) parsed.push_back(Network::parse(text).value());
    return parsed;
}

bool any_contains(const std::vector<Network>& networks, const ip::address& address)
{
    return std::ranges::any_of(networks,
                               [&](const Network& each) { return each.contains(address); });
}

bool is_public_v4(const ip::address_v4& address)
{
    static const std::vector<Network> refused = networks({
        "0.0.0.0/8",        // This network.
        "10.0.0.0/8",       // Private.
        "100.64.0.0/10",    // Shared by customers of a provider.
        "127.0.0.0/8",      // Loopback.
        "169.254.0.0/16",   // Link-local; includes the metadata services of clouds.
        "172.16.0.0/12",    // Private.
        "192.0.0.0/24",     // Protocol assignments.
        "192.0.2.0/24",     // Documentation.
        "192.88.99.0/24",   // 6to4 relays; deprecated.
        "192.168.0.0/16",   // Private.
        "198.18.0.0/15",    // Benchmarking.
        "198.51.100.0/24",  // Documentation.
        "203.0.113.0/24",   // Documentation.
        "224.0.0.0/4",      // Multicast.
        "240.0.0.0/4",      // Reserved, and broadcast.
    });
    return !any_contains(refused, address);
}

bool is_public_v6(const ip::address_v6& address)
{
    static const Network global = Network::parse("2000::/3").value();
    static const Network six_to_four = Network::parse("2002::/16").value();
    static const std::vector<Network> refused = networks({
        "2001::/23",      // Protocol assignments: Teredo, benchmarking, ORCHID.
        "2001:db8::/32",  // Documentation.
        "3fff::/20",      // Documentation.
    });
    if (!global.contains(address) || any_contains(refused, address)) return false;
    if (!six_to_four.contains(address)) return true;
    const auto bytes = address.to_bytes();
    return is_public_v4(ip::address_v4({bytes[2], bytes[3], bytes[4], bytes[5]}));
}

}  // namespace

bool allowed_by(const AddressRule& rule, const std::vector<ip::tcp::endpoint>& endpoints)
{
    return !rule || std::ranges::all_of(endpoints, [&](const ip::tcp::endpoint& each) {
        return rule(each.address());
    });
}

Result<Network> Network::parse(std::string_view text)
{
    const auto wrong = [] {
        return invalid_request("is not a network such as 10.0.0.0/8 or fd00::/8");
    };
    const std::size_t slash = text.find('/');
    boost::system::error_code error;
    Network network;
    network.address_ = ip::make_address(std::string(text.substr(0, slash)), error);
    if (error || text.find('%') != text.npos) return wrong();
    const bool v4 = network.address_.is_v4();
    const unsigned size = v4 ? 32 : 128;
    network.prefix_ = size;
    if (slash != text.npos) {
        const std::string_view digits = text.substr(slash + 1);
        const char* end = digits.data() + digits.size();
        const auto read =
            std::from_chars(digits.data(), digits.data() + digits.size(), network.prefix_);
        if (read.ec != std::errc() || read.ptr != end || network.prefix_ > size) return wrong();
    }
    if (v4 ? !ends_with_prefix(network.address_.to_v4(), network.prefix_)
           : !ends_with_prefix(network.address_.to_v6(), network.prefix_))
        return invalid_request("has bits set after its prefix, so it is not a network");
    return network;
}

Result<std::vector<Network>> parse_networks(const std::vector<std::string>& texts)
{
    std::vector<Network> parsed;
    for (const std::string& text : texts) {
        auto network = Network::parse(text);
        if (!network) return invalid_request("\"" + text + "\" " + network.error().message + ".");
        parsed.push_back(std::move(*network));
    }
    return parsed;
}

bool Network::contains(const ip::address& address) const
{
    if (address.is_v4() != address_.is_v4()) return false;
    return address.is_v4()
               ? same_prefix(address.to_v4().to_bytes(), address_.to_v4().to_bytes(), prefix_)
               : same_prefix(address.to_v6().to_bytes(), address_.to_v6().to_bytes(), prefix_);
}

bool is_public(const ip::address& address)
{
    return address.is_v4() ? is_public_v4(address.to_v4()) : is_public_v6(address.to_v6());
}

AddressRule public_addresses(std::vector<Network> and_these)
{
    return [allowed = std::move(and_these)](const ip::address& address) {
        return is_public(address) || any_contains(allowed, address);
    };
}

}  // namespace parley::http::client
