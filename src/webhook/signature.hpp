// Signatures of sent and received webhooks: Standard Webhooks 1.0, and GitHub's. Pure: the caller
// provides the time.
//
// Threads: to be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/secret.hpp"

#include <span>
#include <string>
#include <string_view>

namespace parley::webhook {

// How far the timestamp of a call may be from our time, into the past and into the future.
inline constexpr std::chrono::minutes tolerance{5};

// "whsec_" and the base64 of 24 to 64 bytes.
class SigningSecret {
public:
    // Fails with invalid_request; the message does not repeat the text.
    static Result<SigningSecret> parse(std::string_view text);
    // A new one, of 32 random bytes.
    static SigningSecret make();

    Secret text() const;
    // Its last characters, to recognise it: "whsec_…x9Q=".
    std::string hint() const;

    // HMAC-SHA256 of "id.seconds.body", as a signature is written: "v1,…".
    std::string sign(std::string_view id, std::string_view seconds, std::string_view body) const;

private:
    explicit SigningSecret(Secret key) : key_(std::move(key)) {}

    Secret key_;
};

// The three fields of a call that Standard Webhooks names webhook-id, -timestamp and -signature.
struct SignedHead {
    std::string id;
    std::string timestamp;
    std::string signature;
};

// Signs with every secret, in their order: during a rotation the new one comes first.
SignedHead sign(std::string_view id, TimePoint now, std::string_view body,
                std::span<const SigningSecret> secrets);

// Whether one of the signatures was made with one of the secrets, and the timestamp is within the
// tolerance.
bool verify(const SignedHead& head, std::string_view body, std::span<const SigningSecret> secrets,
            TimePoint now);

// X-Hub-Signature-256, "sha256=" and 64 hexadecimal digits. An empty secret verifies nothing.
bool verify_github(std::string_view signature, std::string_view body, const Secret& secret);

}  // namespace parley::webhook
