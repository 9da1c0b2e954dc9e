#include "oidc/attempts.hpp"

#include "base/random.hpp"
#include "base/sha256.hpp"
#include "oidc/base64url.hpp"

#include <charconv>

namespace parley::oidc {
namespace {

constexpr std::size_t state_size = 32;  // 190 bits, as the nonce has.
constexpr std::size_t verifier_size = 64;

Error invalid_attempt()
{
    return {Errc::invalid_credentials,
            "This attempt to log in was not begun here, or has expired; begin again."};
}

}  // namespace

std::string Attempt::challenge() const
{
    const Sha256 hash = sha256(verifier);
    return base64url({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

Attempt Attempts::make(TimePoint now)
{
    return {.state = random_base62(state_size),
            .nonce = random_base62(state_size),
            .verifier = random_base62(verifier_size),
            .expires_at = std::chrono::floor<std::chrono::seconds>(now) + life};
}

std::string Attempts::seal(const Attempt& attempt) const
{
    const auto expiry =
        std::chrono::floor<std::chrono::seconds>(attempt.expires_at.time_since_epoch());
    std::string text =
        attempt.state + attempt.nonce + attempt.verifier + std::to_string(expiry.count());
    return base64url(sealer_.seal(provider_, Secret::taken_from(text)));
}

Result<Attempt> Attempts::open(std::string_view sealed, std::string_view state, TimePoint now) const
{
    const auto bytes = base64url_decoded(sealed);
    if (!bytes) return invalid_attempt();
    const auto opened = sealer_.open(provider_, *bytes);
    if (!opened) return invalid_attempt();
    const std::string_view text = opened->reveal();
    constexpr std::size_t before_expiry = 2 * state_size + verifier_size;
    if (text.size() <= before_expiry) return invalid_attempt();
    std::int64_t expiry = 0;
    const auto [end, fault] =
        std::from_chars(text.data() + before_expiry, text.data() + text.size(), expiry);
    if (fault != std::errc() || end != text.data() + text.size()) return invalid_attempt();
    Attempt attempt{.state = std::string(text.substr(0, state_size)),
                    .nonce = std::string(text.substr(state_size, state_size)),
                    .verifier = std::string(text.substr(2 * state_size, verifier_size)),
                    .expires_at = TimePoint(std::chrono::seconds(expiry))};
    if (!constant_time_equal(attempt.state, state) || attempt.expires_at <= now)
        return invalid_attempt();
    return attempt;
}

}  // namespace parley::oidc
