// The client address of a request: the peer's, or the one in X-Forwarded-For, if trusted proxies
// appended it. Clients can write anything into that field; only the entries that trusted proxies
// appended on the right are reliable.
//
// Threads: pure functions.
#pragma once

#include "base/error.hpp"

#include <boost/asio/ip/address.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::limits {

// The setting server.trusted_proxies: networks (10.0.0.0/8, 2001:db8::/32) and single addresses.
class TrustedProxies {
public:
    TrustedProxies() = default;  // None.

    // Fails with a message about the first wrong entry. A network of all addresses is also refused:
    // it would let any client choose its address.
    static Result<TrustedProxies> parse(std::span<const std::string> list);

    bool trusts(const boost::asio::ip::address& address) const;

private:
    struct Network {
        std::array<unsigned char, 16> bytes{};  // An IPv4 address as its IPv4-mapped one.
        std::size_t bits = 0;
    };

    static Result<Network> parse_network(const std::string& text);

    std::vector<Network> networks_;
};

// `forwarded_for` are the values of all X-Forwarded-For fields, in their order. They are walked
// from the right while each address is a trusted proxy's; the first that is not is the client. An
// entry that is not an address ends the walk: the last trusted address counts as the client.
//
// Valid forms are 192.0.2.7, 192.0.2.7:4711, 2001:db8::1, [2001:db8::1] and [2001:db8::1]:4711. An
// IPv4-mapped address is treated as the IPv4 address.
boost::asio::ip::address client_address(const boost::asio::ip::address& peer,
                                        std::span<const std::string_view> forwarded_for,
                                        const TrustedProxies& proxies);

}  // namespace parley::limits
