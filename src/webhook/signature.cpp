#include "webhook/signature.hpp"

#include "base/base64.hpp"
#include "base/hex.hpp"
#include "base/random.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace parley::webhook {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t least_key = 24;
constexpr std::size_t most_key = 64;
constexpr std::size_t new_key = 32;
constexpr std::size_t hint_size = 4;
// A sender rotates between two or three secrets. More signatures are an attempt to waste CPU time.
constexpr std::size_t most_signatures = 16;

using Hash = std::array<unsigned char, crypto_auth_hmacsha256_BYTES>;

const unsigned char* bytes_of(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

Hash hmac(std::string_view key, std::initializer_list<std::string_view> parts)
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    for (const std::string_view part : parts)
        crypto_auth_hmacsha256_update(&state, bytes_of(part), part.size());
    Hash hash{};
    crypto_auth_hmacsha256_final(&state, hash.data());
    sodium_memzero(&state, sizeof(state));
    return hash;
}

// Whole seconds since 1970, digits only.
std::optional<std::int64_t> seconds_of(std::string_view text)
{
    if (text.empty() || text.size() > 12 || text.front() < '0' || text.front() > '9')
        return std::nullopt;
    std::int64_t seconds = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return seconds;
}

bool is_near(std::string_view timestamp, TimePoint now)
{
    const auto seconds = seconds_of(timestamp);
    if (!seconds) return false;
    const std::int64_t ours =
        std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    const std::int64_t most = std::chrono::seconds(tolerance).count();
    return *seconds >= ours - most && *seconds <= ours + most;
}

// Compares with all of them, so that the time does not depend on the result.
bool one_is(std::string_view signatures, std::string_view expected)
{
    bool found = false;
    for (std::size_t i = 0; i < most_signatures && !signatures.empty(); ++i) {
        const std::size_t end = std::min(signatures.find(' '), signatures.size());
        found |= constant_time_equal(signatures.substr(0, end), expected);
        signatures.remove_prefix(std::min(end + 1, signatures.size()));
    }
    return found;
}

}  // namespace

Result<SigningSecret> SigningSecret::parse(std::string_view text)
{
    const auto wrong = [] {
        return invalid_request("must be whsec_ followed by 24 to 64 bytes in base64");
    };
    if (!text.starts_with(prefix)) return wrong();
    text.remove_prefix(prefix.size());
    std::string key(most_key, '\0');
    std::size_t size = 0;
    const int read =
        sodium_base642bin(reinterpret_cast<unsigned char*>(key.data()), key.size(), text.data(),
                          text.size(), nullptr, &size, nullptr, sodium_base64_VARIANT_ORIGINAL);
    if (read != 0 || size < least_key) {
        sodium_memzero(key.data(), key.size());
        return wrong();
    }
    Secret secret{std::string_view(key).substr(0, size)};
    sodium_memzero(key.data(), key.size());
    return SigningSecret(std::move(secret));
}

SigningSecret SigningSecret::make()
{
    std::string key(new_key, '\0');
    random_bytes(std::as_writable_bytes(std::span(key)));
    return SigningSecret(Secret::taken_from(key));
}

Secret SigningSecret::text() const
{
    const std::string_view key = key_.reveal();
    std::string written = base64({bytes_of(key), key.size()});
    std::string whole = std::string(prefix) + written;
    sodium_memzero(written.data(), written.size());
    return Secret::taken_from(whole);
}

std::string SigningSecret::hint() const
{
    const Secret whole = text();
    return std::string(prefix) + "…" +
           std::string(whole.reveal().substr(whole.reveal().size() - hint_size));
}

std::string SigningSecret::sign(std::string_view id, std::string_view seconds,
                                std::string_view body) const
{
    return "v1," + base64(hmac(key_.reveal(), {id, ".", seconds, ".", body}));
}

SignedHead sign(std::string_view id, TimePoint now, std::string_view body,
                std::span<const SigningSecret> secrets)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    SignedHead head{.id = std::string(id), .timestamp = std::to_string(seconds), .signature = {}};
    for (const SigningSecret& secret : secrets)
        head.signature.append(head.signature.empty() ? "" : " ")
            .append(secret.sign(id, head.timestamp, body));
    return head;
}

bool verify(const SignedHead& head, std::string_view body, std::span<const SigningSecret> secrets,
            TimePoint now)
{
    // A dot in the id would make the signed text ambiguous.
    if (head.id.empty() || head.id.find('.') != head.id.npos || !is_near(head.timestamp, now))
        return false;
    bool found = false;
    for (const SigningSecret& secret : secrets)
        found |= one_is(head.signature, secret.sign(head.id, head.timestamp, body));
    return found;
}

bool verify_github(std::string_view signature, std::string_view body, const Secret& secret)
{
    if (secret.empty()) return false;
    return constant_time_equal(signature, "sha256=" + to_hex(hmac(secret.reveal(), {body})));
}

}  // namespace parley::webhook
