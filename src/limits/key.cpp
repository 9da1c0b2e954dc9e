#include "limits/key.hpp"

#include <algorithm>

namespace parley::limits {

Key Key::address(const boost::asio::ip::address& address)
{
    namespace ip = boost::asio::ip;
    Key key(Kind::address, {});
    const auto keep = [&](const auto& bytes, std::size_t count) {
        std::copy_n(bytes.begin(), count, key.address_.begin());
        key.address_size_ = static_cast<std::uint8_t>(count);
    };
    if (address.is_v4())
        keep(address.to_v4().to_bytes(), 4);
    else if (address.to_v6().is_v4_mapped())
        keep(ip::make_address_v4(ip::v4_mapped, address.to_v6()).to_bytes(), 4);
    else
        keep(address.to_v6().to_bytes(), 8);
    return key;
}

}  // namespace parley::limits
