// The URL of a listener of this server, for commands on this machine.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <string>

namespace parley::app {

// A server that listens on all addresses is reached on loopback.
std::string local_url(boost::asio::ip::tcp::endpoint endpoint, bool secure);

}  // namespace parley::app
