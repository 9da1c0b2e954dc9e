#include "cli/finding.hpp"
#include "http/address.hpp"
#include "http/tls.hpp"

#include <boost/asio/io_context.hpp>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace parley::cli {
namespace {

using boost::asio::ip::tcp;

constexpr int soon_days = 14;

boost::system::error_code try_to_listen(const tcp::endpoint& endpoint)
{
    boost::asio::io_context unused;
    tcp::acceptor acceptor(unused);
    boost::system::error_code failure;
    acceptor.open(endpoint.protocol(), failure);
    if (!failure) acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure) acceptor.bind(endpoint, failure);
    if (!failure) acceptor.listen(1, failure);
    return failure;
}

// A server reports its address as a URL; one that listens on all addresses reports that of this
// machine.
bool is_at(std::string_view url, const tcp::endpoint& endpoint)
{
    const std::size_t scheme = url.find("://");
    const auto told = http::parse_address(scheme == url.npos ? url : url.substr(scheme + 3));
    return told && told->port() == endpoint.port() &&
           (endpoint.address().is_unspecified() || told->address() == endpoint.address());
}

// Whole days from `now`; negative if it has passed.
int days_until(const ASN1_TIME* when, TimePoint now)
{
    const std::time_t seconds_now = std::chrono::system_clock::to_time_t(now);
    ASN1_TIME* start = ASN1_TIME_set(nullptr, seconds_now);
    int days = 0;
    int seconds = 0;
    const bool known = ASN1_TIME_diff(&days, &seconds, start, when) == 1;
    ASN1_TIME_free(start);
    if (!known) return -1;
    return days == 0 && seconds < 0 ? -1 : days;
}

}  // namespace

Finding check_port(std::string_view check, const std::string& address, const Holder& holder)
{
    if (address.empty() || address == "off") return {.check = check, .finding = "off"};
    const auto endpoint = http::parse_address(address);
    if (!endpoint)
        return {.check = check, .verdict = Verdict::fail, .finding = endpoint.error().message};
    if (holder && (is_at(holder->address, *endpoint) || is_at(holder->metrics_address, *endpoint)))
        return {.check = check, .finding = address + " is in use by this server"};
    const auto failure = try_to_listen(*endpoint);
    if (!failure) return {.check = check, .finding = address + " is free"};
    if (failure == boost::asio::error::address_in_use && holder && holder->address.empty())
        return {.check = check,
                .verdict = Verdict::warn,
                .finding = address + " is in use, perhaps by process " +
                           std::to_string(holder->pid) + ", which uses the data directory",
                .advice = "If it is a server that is starting, try again in a moment."};
    const bool privileged = failure == boost::asio::error::access_denied;
    return {.check = check,
            .verdict = Verdict::fail,
            .finding = "cannot listen on " + address + ": " + failure.message(),
            .advice = privileged ? "Use a port above 1023, or give the program the capability "
                                   "CAP_NET_BIND_SERVICE."
                                 : "Stop the program that uses it, or choose another address."};
}

Finding check_certificate(const http::TlsFiles& files, TimePoint now)
{
    if (files.certificate.empty()) return {.check = "TLS", .finding = "off"};
    http::TlsIdentity identity(files);
    if (const auto loaded = identity.load(); !loaded)
        return {.check = "TLS",
                .verdict = Verdict::fail,
                .finding = loaded.error().message,
                .advice = "Give a certificate and its own key, both PEM."};
    const X509* loaded = SSL_CTX_get0_certificate(identity.current()->native_handle());
    if (days_until(X509_get0_notBefore(loaded), now) > 0)
        return {.check = "TLS",
                .verdict = Verdict::fail,
                .finding = files.certificate + " is not valid yet",
                .advice = "Check the clock, or wait."};
    const int days = days_until(X509_get0_notAfter(loaded), now);
    if (days < 0)
        return {.check = "TLS",
                .verdict = Verdict::fail,
                .finding = files.certificate + " is no longer valid",
                .advice = "Renew it, then send the server SIGHUP."};
    Finding found{.check = "TLS",
                  .finding = files.certificate + " matches its key and is valid for " +
                             std::to_string(days) + " more days"};
    if (days < soon_days) {
        found.verdict = Verdict::warn;
        found.advice = "Renew it, then send the server SIGHUP.";
    }
    return found;
}

}  // namespace parley::cli
