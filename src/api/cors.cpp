#include "api/cors.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::api {
namespace {

constexpr const char* exposed =
    "X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, "
    "X-RateLimit-Reset, Retry-After, Location, Link, ETag, Allow, WWW-Authenticate, "
    "Preference-Applied, X-Should-Retry, X-Run-Id, Idempotency-Replayed, Deprecation, Sunset";

// Used if a preflight does not name the fields that it wants to send.
constexpr std::string_view usual_fields =
    "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, If-Match, Prefer";

// Header field names, separated by commas; no other text is sent back.
bool is_list_of_names(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_, ").find(c) != std::string_view::npos;
    });
}

// How long a browser may cache a preflight. Browsers have maxima of their own; the lowest is ten
// minutes.
constexpr const char* preflight_seconds = "600";

// scheme "://" host [":" port] in the form of browsers: lower case, without a path.
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
            return invalid_request("\"" + origin +
                                   "\" is not an origin: write scheme and host in lower case, as "
                                   "in https://chat.example.org, or * for all.");
    return {};
}

Cors::Cors(std::vector<std::string> origins)
    : origins_(std::move(origins)), all_(std::ranges::find(origins_, "*") != origins_.end())
{
    if (const auto checked = check_origins(origins_); !checked)
        throw std::invalid_argument(checked.error().message);
}

bool Cors::is_allowed(const http::RequestHead& head) const
{
    const auto origin = head.field("origin");
    return origin && (all_ || std::ranges::find(origins_, *origin) != origins_.end());
}

bool Cors::allows_preflight(const http::RequestHead& head) const
{
    return head.method == "OPTIONS" && is_allowed(head) &&
           head.field("access-control-request-method");
}

void Cors::add_fields(const http::RequestHead& head, http::Fields& fields) const
{
    if (origins_.empty()) return;
    // Also if the origin is refused or missing: a cache must not send this response to another
    // origin.
    if (!all_) fields.add("Vary", "Origin");
    if (!is_allowed(head)) return;
    fields.add("Access-Control-Allow-Origin", all_ ? "*" : *head.field("origin"));
    fields.add("Access-Control-Expose-Headers", exposed);
}

void Cors::add_preflight_fields(const http::RequestHead& head, std::string_view allow,
                                http::Fields& fields) const
{
    if (!allows_preflight(head)) return;
    fields.add("Access-Control-Allow-Methods", allow);
    // All requested fields are allowed: a trusted origin may send any field, and clients send
    // fields that no list would contain.
    const auto asked = head.field("access-control-request-headers");
    fields.add("Access-Control-Allow-Headers",
               asked && is_list_of_names(*asked) ? *asked : usual_fields);
    fields.add("Access-Control-Max-Age", preflight_seconds);
}

}  // namespace parley::api
