#include "limits/client_address.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace parley::limits {
namespace {

namespace ip = boost::asio::ip;

constexpr std::size_t mapped_bits = 96;  // The part of an IPv4-mapped address before the IPv4 one.
constexpr std::size_t longest_address = 45;

// Without parts that do not identify a client: the IPv6 form of an IPv4 address, and the interface.
ip::address plain(const ip::address& address)
{
    if (address.is_v4()) return address;
    const ip::address_v6 v6 = address.to_v6();
    if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6);
    return ip::address_v6(v6.to_bytes());
}

// Stricter than the system's parser, which stops at a NUL byte and accepts an interface.
std::optional<ip::address> read_address(std::string_view text)
{
    constexpr std::string_view allowed = "0123456789abcdefABCDEF.:";
    if (text.size() > longest_address || text.find_first_not_of(allowed) != text.npos)
        return std::nullopt;
    boost::system::error_code error;
    ip::address address = ip::make_address(text, error);
    if (error) return std::nullopt;
    return address;
}

template <class Number>
std::optional<Number> read_number(std::string_view text)
{
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool is_port(std::string_view text) { return read_number<std::uint16_t>(text).has_value(); }

// An entry of X-Forwarded-For.
std::optional<ip::address> read_entry(std::string_view text)
{
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == text.npos) return std::nullopt;
        const std::string_view rest = text.substr(end + 1);
        if (!rest.empty() && (rest[0] != ':' || !is_port(rest.substr(1)))) return std::nullopt;
        const auto address = read_address(text.substr(1, end - 1));
        return address && address->is_v6() ? address : std::nullopt;
    }
    const std::size_t colon = text.find(':');
    if (colon != text.npos && text.find(':', colon + 1) == text.npos) {
        if (!is_port(text.substr(colon + 1))) return std::nullopt;
        text = text.substr(0, colon);
    }
    return read_address(text);
}

std::array<unsigned char, 16> mapped_bytes(const ip::address& address)
{
    if (address.is_v6()) return address.to_v6().to_bytes();
    return ip::make_address_v6(ip::v4_mapped, address.to_v4()).to_bytes();
}

// Clears all bits from this one on.
std::array<unsigned char, 16> prefix(std::array<unsigned char, 16> bytes, std::size_t bits)
{
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t kept = std::clamp<std::size_t>(bits, i * 8, i * 8 + 8) - i * 8;
        bytes[i] = static_cast<unsigned char>(bytes[i] & (0xff00U >> kept));
    }
    return bytes;
}

std::string shown(const std::array<unsigned char, 16>& bytes, bool as_v4, std::size_t bits)
{
    const ip::address_v6 v6(bytes);
    return as_v4 ? ip::make_address_v4(ip::v4_mapped, v6).to_string() + "/" +
                       std::to_string(bits - mapped_bits)
                 : v6.to_string() + "/" + std::to_string(bits);
}

}  // namespace

Result<TrustedProxies::Network> TrustedProxies::parse_network(const std::string& text)
{
    const std::size_t slash = text.find('/');
    const auto address = read_address(std::string_view(text).substr(0, slash));
    const std::size_t most = address && address->is_v4() ? 32 : 128;
    std::optional<std::size_t> bits = most;
    if (slash != text.npos)
        bits = read_number<std::size_t>(std::string_view(text).substr(slash + 1));
    if (!address || !bits || *bits > most)
        return invalid_request("\"" + text +
                               "\" is neither an address, such as 127.0.0.1, nor a network, such "
                               "as 10.0.0.0/8 or 2001:db8::/32.");
    const bool v4 = address->is_v4();
    Network network{mapped_bytes(*address), *bits + (v4 ? mapped_bits : 0)};
    const auto all_of_v4 = mapped_bytes(ip::address_v4::any());
    if (network.bits <= mapped_bits && prefix(all_of_v4, network.bits) == network.bytes)
        return invalid_request("\"" + text +
                               "\" would trust every client, so that any client could choose its "
                               "address; give only the networks of the proxies.");
    if (const auto base = prefix(network.bytes, network.bits); base != network.bytes)
        return invalid_request("\"" + text + "\" is an address inside a network; the network is " +
                               shown(base, v4, network.bits) + ".");
    return network;
}

Result<TrustedProxies> TrustedProxies::parse(std::span<const std::string> list)
{
    TrustedProxies proxies;
    for (const std::string& each : list) {
        auto network = parse_network(std::string(ascii::trimmed(each)));
        if (!network) return network.error();
        proxies.networks_.push_back(*network);
    }
    return proxies;
}

bool TrustedProxies::trusts(const ip::address& address) const
{
    const auto bytes = mapped_bytes(address);
    return std::ranges::any_of(networks_, [&](const Network& network) {
        return prefix(bytes, network.bits) == network.bytes;
    });
}

ip::address client_address(const ip::address& peer, std::span<const std::string_view> forwarded_for,
                           const TrustedProxies& proxies)
{
    ip::address client = plain(peer);
    for (std::size_t field = forwarded_for.size(); field > 0; --field) {
        std::string_view rest = forwarded_for[field - 1];
        for (bool more = true; more;) {
            if (!proxies.trusts(client)) return client;
            const std::size_t comma = rest.rfind(',');
            more = comma != rest.npos;
            const auto entry = read_entry(ascii::trimmed(more ? rest.substr(comma + 1) : rest));
            if (!entry) return client;
            client = plain(*entry);
            rest = rest.substr(0, more ? comma : 0);
        }
    }
    return client;
}

}  // namespace parley::limits
