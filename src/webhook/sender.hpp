// One attempt of a delivery: a signed POST, and what became of it.
//
// Threads: of the client's loop.
#pragma once

#include "base/clock.hpp"
#include "http/client/client.hpp"
#include "store/deliveries.hpp"
#include "webhook/signature.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <string>

namespace parley::webhook {

// An attempt that has ended.
struct SentAttempt {
    store::DeliveryAttempt attempt = {};
    std::optional<std::chrono::seconds> retry_after = {};
    bool is_forbidden = false;  // The webhook may not hear of this event any more.

    bool succeeded() const { return attempt.status && *attempt.status / 100 == 2; }
    // The endpoint says that it will never accept an event again.
    bool is_gone() const { return attempt.status == 410; }
};

// A delivery that is to be sent.
struct Parcel {
    std::string url = {};
    std::string event = {};  // evt_…
    std::string body = {};
};

class Sender {
public:
    struct Options {
        std::chrono::seconds timeout{15};  // Until the head of the response.
        bool allow_http = false;
        http::client::AddressRule address_rule = {};
    };
    // Both must outlive it.
    Sender(http::client::Client& client, const Clock& clock, Options options)
        : client_(client), clock_(clock), options_(std::move(options))
    {
    }

    Task<SentAttempt> send(Parcel parcel, std::span<const SigningSecret> secrets);

    // Ends all attempts: they fail.
    void abort();

private:
    Task<http::client::ClientResult<>> exchange(http::client::ClientStream& stream,
                                                SentAttempt& sent) const;

    http::client::Client& client_;
    const Clock& clock_;
    const Options options_;
    std::set<http::client::ClientStream*> active_;
};

// Retry-After: seconds, or a date (RFC 9110 §10.2.3). Nothing if it is neither.
std::optional<std::chrono::seconds> read_retry_after(std::string_view text, TimePoint now);

}  // namespace parley::webhook
