#include "http/client/url.hpp"

#include "base/ascii.hpp"
#include "http/framing.hpp"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

#include <algorithm>
#include <charconv>

namespace parley::http::client {
namespace {

constexpr std::size_t max_host_size = 253;
constexpr std::size_t max_label_size = 63;
constexpr std::size_t max_url_size = max_target_size + max_host_size + 32;

constexpr std::string_view digits = "0123456789";
constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";
constexpr std::string_view label_characters = "abcdefghijklmnopqrstuvwxyz0123456789-_";

Error bad(const char* why) { return invalid_request(why); }

bool made_of(std::string_view text, std::string_view characters)
{
    return text.find_first_not_of(characters) == text.npos;
}

bool is_label(std::string_view label)
{
    return !label.empty() && label.size() <= max_label_size && made_of(label, label_characters) &&
           label.front() != '-' && label.back() != '-';
}

bool is_name(std::string_view name)
{
    while (true) {
        const std::size_t dot = name.find('.');
        if (!is_label(name.substr(0, dot))) return false;
        if (dot == name.npos) return true;
        name.remove_prefix(dot + 1);
    }
}

// getaddrinfo accepts 127.1, 2130706433 and 0x7f000001 as addresses, so a host that ends in a
// number must be an address in its full form.
bool ends_in_number(std::string_view host)
{
    const std::size_t dot = host.rfind('.');
    const std::string_view last = dot == host.npos ? host : host.substr(dot + 1);
    return made_of(last, digits) || (last.starts_with("0x") && made_of(last.substr(2), hex_digits));
}

bool allowed_in_target(char c)
{
    return c > 0x20 && c < 0x7f &&
           std::string_view("\"<>\\^`{|}#").find(c) == std::string_view::npos;
}

}  // namespace

Result<Url> Url::parse(std::string_view text)
{
    if (text.size() > max_url_size) return bad("The URL is too long.");
    Url url;
    const std::size_t colon = text.find("://");
    if (colon == text.npos) return bad("The URL must begin with http:// or https://.");
    const std::string scheme = ascii::lower(text.substr(0, colon));
    if (scheme != "http" && scheme != "https")
        return bad("The URL must begin with http:// or https://.");
    url.secure_ = scheme == "https";
    text.remove_prefix(colon + 3);

    const std::size_t authority_end = std::min(text.find_first_of("/?#"), text.size());
    const std::string_view authority = text.substr(0, authority_end);
    const std::string_view target = text.substr(authority_end);
    if (authority.find('@') != authority.npos)
        return bad("The URL must not contain a user name or password.");

    const bool bracketed = authority.starts_with('[');
    const std::size_t host_end =
        bracketed ? authority.find(']') + 1 : std::min(authority.find(':'), authority.size());
    if (bracketed && host_end == 0) return bad("The address in the URL lacks its closing bracket.");
    if (auto set = url.set_host(authority.substr(0, host_end)); !set) return set.error();
    const std::string_view port = authority.substr(host_end);
    url.port_ = url.own_port();
    if (!port.empty()) {
        if (port.front() != ':') return bad("The host of the URL is malformed.");
        if (auto set = url.set_port(port.substr(1)); !set) return set.error();
    }
    const bool only_query = target.starts_with('?');
    if (auto set = url.set_target(only_query || target.empty() ? "/" + std::string(target)
                                                               : std::string(target));
        !set)
        return set.error();
    return url;
}

Result<> Url::set_host(std::string_view host)
{
    boost::system::error_code failed;
    if (host.starts_with('[')) {
        const std::string inner(host.substr(1, host.size() - 2));
        const auto address = boost::asio::ip::make_address_v6(inner, failed);
        // A zone (fe80::1%eth0) names an interface of this machine; URLs must not select one.
        if (failed || inner.find('%') != inner.npos)
            return bad("The IPv6 address in the URL is malformed.");
        host_ = address.to_string();
        host_is_address_ = true;
        return {};
    }
    host_ = ascii::lower(host);
    if (host_.empty()) return bad("The URL has no host.");
    if (host_.ends_with('.')) return bad("The host of the URL must not end with a dot.");
    if (host_.size() > max_host_size || !is_name(host_))
        return bad(
            "The host of the URL is malformed. Names in other scripts are written in "
            "Punycode (xn--…).");
    if (ends_in_number(host_)) {
        boost::asio::ip::make_address_v4(host_, failed);
        if (failed) return bad("The IPv4 address in the URL must be four numbers from 0 to 255.");
        host_is_address_ = true;
    }
    return {};
}

Result<> Url::set_port(std::string_view text)
{
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port_);
    if (failed != std::errc() || end != text.data() + text.size() || text.starts_with('0'))
        return bad("The port of the URL must be a number from 1 to 65535.");
    return {};
}

Result<> Url::set_target(std::string_view target)
{
    if (target.size() > max_target_size) return bad("The path and query of the URL exceed 8 KiB.");
    if (target.find('#') != target.npos) return bad("The URL must not contain a fragment (#).");
    if (!target.starts_with('/')) return bad("The path of the URL must begin with a slash.");
    if (!std::all_of(target.begin(), target.end(), allowed_in_target))
        return bad("The URL contains a character that must be percent-encoded.");
    for (std::size_t at = target.find('%'); at != target.npos; at = target.find('%', at + 1))
        if (target.size() - at < 3 || !made_of(target.substr(at + 1, 2), hex_digits))
            return bad("A percent sign in the URL is not followed by two hexadecimal digits.");
    target_ = target;
    return {};
}

Result<Url> Url::with_target(std::string_view target) const
{
    Url url = *this;
    if (auto set = url.set_target(target); !set) return set.error();
    return url;
}

std::string Url::bracketed_host() const
{
    return host_.find(':') == host_.npos ? host_ : "[" + host_ + "]";
}

std::string Url::authority() const
{
    return port_ == own_port() ? bracketed_host() : host_and_port();
}

std::string Url::host_and_port() const { return bracketed_host() + ":" + std::to_string(port_); }

}  // namespace parley::http::client
