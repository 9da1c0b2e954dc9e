// "127.0.0.1:8080", "[::1]:8080" or "localhost:8080" as the address of a listener; and the network
// that counts as one client.
#pragma once

#include "base/error.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

// Fails with a message that shows the right form.
Result<boost::asio::ip::tcp::endpoint> parse_address(std::string_view text);

std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint);

// The bytes of an IPv4 address, or of the /64 of an IPv6 one, which is what one customer gets. An
// IPv4-mapped address is the IPv4 address that it stands for.
std::string network_of(const boost::asio::ip::address& address);

// The bytes of the /48 of an IPv6 address, which is the most that one customer gets; nothing for
// IPv4.
std::optional<std::string> site_of(const boost::asio::ip::address& address);

}  // namespace parley::http
