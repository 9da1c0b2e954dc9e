#include "limits/key.hpp"

#include <algorithm>

namespace parley::limits {
namespace {

namespace ip = boost::asio::ip;

constexpr std::size_t v6_address_bytes = 8;
constexpr std::size_t v6_network_bytes = 6;

bool is_really_v4(const ip::address& address)
{
    return address.is_v4() || address.to_v6().is_v4_mapped();
}

}  // namespace

template <class Bytes>
void Key::keep(const Bytes& bytes, std::size_t count)
{
    std::copy_n(bytes.begin(), count, address_.begin());
    address_size_ = static_cast<std::uint8_t>(count);
}

Key Key::address(const ip::address& address)
{
    Key key(Kind::address, {});
    if (address.is_v4())
        key.keep(address.to_v4().to_bytes(), 4);
    else if (is_really_v4(address))
        key.keep(ip::make_address_v4(ip::v4_mapped, address.to_v6()).to_bytes(), 4);
    else
        key.keep(address.to_v6().to_bytes(), v6_address_bytes);
    return key;
}

std::optional<Key> Key::network(const ip::address& address)
{
    if (is_really_v4(address)) return std::nullopt;
    Key key(Kind::network, {});
    key.keep(address.to_v6().to_bytes(), v6_network_bytes);
    return key;
}

}  // namespace parley::limits
