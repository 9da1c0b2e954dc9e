#include "http/address.hpp"

#include <charconv>

namespace parley::http {
namespace {

namespace ip = boost::asio::ip;

template <class Bytes>
std::string first_of(const Bytes& bytes, std::size_t count)
{
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Result<boost::asio::ip::tcp::endpoint> parse_address(std::string_view text)
{
    const auto wrong = [&] {
        return invalid_request(
            "\"" + std::string(text) +
            "\" is not an address and a port, such as 127.0.0.1:8080 or [::1]:8080");
    };
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos) return wrong();
    std::string_view host = text.substr(0, colon);
    const std::string_view port_text = text.substr(colon + 1);
    unsigned short port = 0;
    const auto [end, failure] =
        std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
    if (failure != std::errc() || end != port_text.data() + port_text.size()) return wrong();

    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    if (error || address.is_v6() != bracketed) return wrong();
    return boost::asio::ip::tcp::endpoint(address, port);
}

std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint)
{
    const std::string host = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
           std::to_string(endpoint.port());
}

std::string network_of(const boost::asio::ip::address& address)
{
    if (address.is_v4()) return first_of(address.to_v4().to_bytes(), 4);
    const ip::address_v6 v6 = address.to_v6();
    if (v6.is_v4_mapped()) return first_of(ip::make_address_v4(ip::v4_mapped, v6).to_bytes(), 4);
    return first_of(v6.to_bytes(), 8);
}

std::optional<std::string> site_of(const boost::asio::ip::address& address)
{
    if (address.is_v4() || address.to_v6().is_v4_mapped()) return std::nullopt;
    return first_of(address.to_v6().to_bytes(), 6);
}

}  // namespace parley::http
