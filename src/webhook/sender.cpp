#include "webhook/sender.hpp"

#include "base/utf8.hpp"
#include "webhook/target.hpp"

#include <charconv>
#include <ctime>
#include <limits>

namespace parley::webhook {
namespace {

using http::client::ClientError;
using http::client::ClientFailure;
using http::client::ClientResult;
using http::client::ClientStream;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds time_to_connect{5};
constexpr std::size_t most_read = std::size_t{16} * 1024;
constexpr std::size_t most_shown = 1024;
// The head decides; the body is only for people who look for a fault.
constexpr seconds time_for_body{2};

DeliveryError error_of(const ClientError& error)
{
    switch (error.kind) {
        case ClientFailure::refused_address:
            return DeliveryError::address_refused;
        case ClientFailure::unreachable:
            return error.has_no_address ? DeliveryError::name_not_found
                                        : DeliveryError::connection_refused;
        case ClientFailure::tls:
            return DeliveryError::tls;
        case ClientFailure::timeout:
            return DeliveryError::timeout;
        case ClientFailure::unsendable:
        case ClientFailure::malformed:
        case ClientFailure::too_large:
        case ClientFailure::closed:
            break;
    }
    return DeliveryError::bad_response;
}

std::string shown(std::string_view body)
{
    std::string text = utf8::repaired(utf8::cut(body, most_shown));
    return std::string(utf8::cut(text, most_shown));
}

}  // namespace

std::optional<seconds> read_retry_after(std::string_view text, TimePoint now)
{
    std::uint32_t count = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool is_number = !text.empty() && read.ptr == end;
    if (is_number && read.ec == std::errc()) return seconds(count);
    if (is_number && read.ec == std::errc::result_out_of_range)
        return seconds(std::numeric_limits<std::uint32_t>::max());
    std::tm date{};
    const std::string copy(text);
    const char* rest = ::strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
    if (!rest || *rest != '\0') return std::nullopt;
    // In seconds: the year 9999 has too many nanoseconds.
    const std::chrono::sys_seconds at{seconds(::timegm(&date))};
    return std::max(seconds(0), at - std::chrono::floor<seconds>(now));
}

Task<SentAttempt> Sender::send(Parcel parcel, std::span<const SigningSecret> secrets)
{
    const TimePoint now = clock_.now();
    const SteadyPoint begun = clock_.steady();
    SentAttempt sent{.attempt = {.at = now}};
    const auto url = parse_target(parcel.url, options_.allow_http);
    if (!url) {  // The operator has changed the settings since it was saved.
        sent.attempt.error = DeliveryError::address_refused;
        co_return sent;
    }
    SignedHead head = sign(parcel.event, now, parcel.body, secrets);
    const auto stream = client_.prepare(
        {.method = "POST",
         .url = *url,
         .fields = {{"Content-Type", "application/json"},
                    {"webhook-id", std::move(head.id)},
                    {"webhook-timestamp", std::move(head.timestamp)},
                    {"webhook-signature", std::move(head.signature)}},
         .body = std::move(parcel.body),
         .deadlines = {.connect = std::min<milliseconds>(time_to_connect, options_.timeout),
                       .first_byte = options_.timeout,
                       .silence = options_.timeout,
                       .total = options_.timeout},
         .address_rule = options_.address_rule});
    active_.insert(stream.get());
    const auto done = co_await exchange(*stream, sent);
    active_.erase(stream.get());
    if (!done) sent.attempt.error = error_of(done.error());
    sent.attempt.duration = std::chrono::duration_cast<milliseconds>(clock_.steady() - begun);
    co_return sent;
}

// Fails only if there is no head of a response.
Task<ClientResult<>> Sender::exchange(ClientStream& stream, SentAttempt& sent) const
{
    const auto started = co_await stream.start();
    if (!started) co_return started;
    sent.attempt.status = stream.head().status;
    if (const auto after = stream.head().field("retry-after"))
        sent.retry_after = read_retry_after(*after, clock_.now());
    const SteadyPoint end = clock_.steady() + time_for_body;
    std::string body;
    while (body.size() < most_read && clock_.steady() < end) {
        const auto piece = co_await stream.next();
        if (!piece || piece->empty()) break;
        body += piece->substr(0, most_read - body.size());
    }
    sent.attempt.response = shown(body);
    co_return ClientResult<>();
}

void Sender::abort()
{
    for (ClientStream* each : active_) each->abort();
}

}  // namespace parley::webhook
