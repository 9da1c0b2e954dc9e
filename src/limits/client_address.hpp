// Whose address a request counts for: the peer's, or what X-Forwarded-For says, as far as proxies
// vouch for it that the operator trusts. Anybody can write anything into that field; only what a
// trusted proxy appended on its right is true.
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
    TrustedProxies() = default;  // Nobody.

    // Fails with a sentence about the first entry that is wrong. A network of everybody is, too: it
    // would let any client choose its address.
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
// entry that is no address ends the walk: the last proxy that was vouched for counts as the client.
//
// Taken are 192.0.2.7, 192.0.2.7:4711, 2001:db8::1, [2001:db8::1] and [2001:db8::1]:4711. An
// IPv4-mapped address is taken, and given, as the IPv4 address that it is.
boost::asio::ip::address client_address(const boost::asio::ip::address& peer,
                                        std::span<const std::string_view> forwarded_for,
                                        const TrustedProxies& proxies);

}  // namespace parley::limits
