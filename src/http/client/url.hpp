// The URL of a request: http or https, a host, a port and a target. There is one parser, so that
// the check of a URL and the connection always agree; parts that do not belong in a request (user
// names, fragments) and old ways to hide an address (127.1, 0x7f000001, percent signs in a host)
// are refused.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::http::client {

class Url {
public:
    // Fails with invalid_request; the message does not repeat the URL, which may hold secrets.
    static Result<Url> parse(std::string_view text);

    bool secure() const { return secure_; }
    // In lower case; an IPv6 address without its brackets.
    const std::string& host() const { return host_; }
    bool host_is_address() const { return host_is_address_; }
    std::uint16_t port() const { return port_; }
    // Path and query, as they are sent: begins with a slash.
    const std::string& target() const { return target_; }

    // The same server with another target. Fails with invalid_request.
    Result<Url> with_target(std::string_view target) const;

    // The value of the Host field: without the port if it is the default of the scheme.
    std::string authority() const;
    // For people: always with the port.
    std::string host_and_port() const;

private:
    Url() = default;
    Result<> set_host(std::string_view host);
    Result<> set_port(std::string_view digits);
    Result<> set_target(std::string_view target);
    std::uint16_t own_port() const { return secure_ ? 443 : 80; }
    std::string bracketed_host() const;

    bool secure_ = false;
    bool host_is_address_ = false;
    std::uint16_t port_ = 0;
    std::string host_;
    std::string target_ = "/";
};

}  // namespace parley::http::client
