// The addresses that a request may connect to, for URLs that users choose: such requests must not
// reach this machine or a private network.
//
// A rule is applied to every address of a name, after the one look-up and before the first
// connection; a single refused address refuses the request. There is no second look-up that could
// return other addresses.
#pragma once

#include "base/error.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http::client {

// Whether a connection to that address is allowed. An empty rule allows all.
using AddressRule = std::function<bool(const boost::asio::ip::address&)>;

bool allowed_by(const AddressRule& rule,
                const std::vector<boost::asio::ip::tcp::endpoint>& endpoints);

// An IPv4 or IPv6 network: "10.0.0.0/8", "fd00::/8", or one address.
class Network {
public:
    // Fails with invalid_request; also if bits after the prefix are set.
    static Result<Network> parse(std::string_view text);

    bool contains(const boost::asio::ip::address& address) const;

private:
    boost::asio::ip::address address_;
    unsigned prefix_ = 0;
};

// Fails with invalid_request for the first that is no network, and names it.
Result<std::vector<Network>> parse_networks(const std::vector<std::string>& texts);

// An address of the public internet. All others are refused: loopback, private, shared, link-local,
// unique-local, multicast, broadcast, documentation, benchmarking, reserved and unspecified ones,
// and IPv6 forms of such IPv4 addresses.
bool is_public(const boost::asio::ip::address& address);

// Public addresses, and those of the networks.
AddressRule public_addresses(std::vector<Network> and_these = {});

}  // namespace parley::http::client
