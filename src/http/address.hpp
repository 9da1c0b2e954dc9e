// "127.0.0.1:8080", "[::1]:8080" or "localhost:8080" as the address of a listener.
#pragma once

#include "base/error.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>

namespace parley::http {

// Fails with a sentence that shows the right form.
Result<boost::asio::ip::tcp::endpoint> parse_address(std::string_view text);

std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace parley::http
