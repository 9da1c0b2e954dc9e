#include "webhook/target.hpp"

namespace parley::webhook {
namespace {

Error fault(const char* code, std::string detail)
{
    return validation_failed({{"#/url", code, std::move(detail)}});
}

// Ports below belong to services that do not expect HTTP, such as mail and shells.
bool is_usual_port(std::uint16_t port) { return port == 443 || port == 80 || port >= 1024; }

}  // namespace

Result<http::client::Url> parse_target(std::string_view url, bool allow_http)
{
    if (url.size() > max_url_size) return fault("too_long", "must have at most 2048 bytes");
    auto parsed = http::client::Url::parse(url);
    if (!parsed) return fault("invalid", parsed.error().message);
    if (!parsed->secure() && !allow_http)
        return fault("not_allowed",
                     "must begin with https://; this server does not send over http");
    if (!is_usual_port(parsed->port()))
        return fault("not_allowed", "must use port 80, 443, or 1024 and above");
    return parsed;
}

Error address_refused()
{
    return fault("address_refused",
                 "must resolve to public addresses only; the operator can allow other networks");
}

}  // namespace parley::webhook
