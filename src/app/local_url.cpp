#include "app/local_url.hpp"

#include "http/address.hpp"

namespace parley::app {

std::string local_url(boost::asio::ip::tcp::endpoint endpoint, bool secure)
{
    using boost::asio::ip::address;
    if (endpoint.address().is_unspecified())
        endpoint.address(endpoint.address().is_v4()
                             ? address(boost::asio::ip::address_v4::loopback())
                             : address(boost::asio::ip::address_v6::loopback()));
    return (secure ? "https://" : "http://") + http::to_text(endpoint);
}

}  // namespace parley::app
