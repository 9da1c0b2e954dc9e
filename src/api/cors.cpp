#include "api/cors.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::api {
namespace {

constexpr const char* exposed =
    "X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, "
    "X-RateLimit-Reset, Retry-After, Location, Link, X-Run-Id, Idempotency-Replayed, Deprecation, "
    "Sunset";

constexpr const char* allowed_fields =
    "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, If-Match, Prefer";

// How long a browser may remember a preflight: the least of the maxima that browsers set themselves
// is ten minutes.
constexpr const char* preflight_seconds = "600";

// scheme "://" host [":" port], as browsers write it: in small letters, nothing behind it.
bool is_origin(std::string_view text)
{
    const std::size_t colon = text.find("://");
    if (colon == text.npos || colon == 0) return false;
    const std::string_view host = text.substr(colon + 3);
    return !host.empty() && host.find_first_of("/?#@*,") == host.npos &&
           std::ranges::none_of(
               text, [](char c) { return c <= ' ' || c > '~' || (c >= 'A' && c <= 'Z'); });
}

}  // namespace

Result<> check_origins(const std::vector<std::string>& origins)
{
    for (const std::string& origin : origins)
        if (origin != "*" && !is_origin(origin))
            return invalid_request(
                "\"" + origin +
                "\" is not an origin: write scheme and host in small letters, as "
                "in https://chat.example.org, or * for all.");
    return {};
}

Cors::Cors(std::vector<std::string> origins)
    : origins_(std::move(origins)), all_(std::ranges::find(origins_, "*") != origins_.end())
{
    if (const auto checked = check_origins(origins_); !checked)
        throw std::invalid_argument(checked.error().message);
}

bool Cors::is_allowed(std::string_view origin) const
{
    return all_ || std::ranges::find(origins_, origin) != origins_.end();
}

void Cors::add_fields(const http::RequestHead& head, http::Fields& fields) const
{
    if (origins_.empty()) return;
    // Also where the origin is refused or missing: a cache must not hand that answer to another.
    if (!all_) fields.add("Vary", "Origin");
    const auto origin = head.field("origin");
    if (!origin || !is_allowed(*origin)) return;
    fields.add("Access-Control-Allow-Origin", all_ ? "*" : *origin);
    fields.add("Access-Control-Expose-Headers", exposed);
}

void Cors::add_preflight_fields(const http::RequestHead& head, std::string_view allow,
                                http::Fields& fields) const
{
    const auto origin = head.field("origin");
    if (!origin || !is_allowed(*origin) || !head.field("access-control-request-method")) return;
    fields.add("Access-Control-Allow-Methods", allow);
    fields.add("Access-Control-Allow-Headers", allowed_fields);
    fields.add("Access-Control-Max-Age", preflight_seconds);
}

}  // namespace parley::api
