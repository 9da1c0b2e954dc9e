// One-time codes of authenticator apps: TOTP (RFC 6238) with the parameters that all apps support,
// SHA-1, 6 digits and steps of 30 seconds.
#pragma once

#include "base/clock.hpp"
#include "base/secret.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::auth {

// 20 random bytes, as long as a SHA-1.
Secret new_totp_key();

// The code of a counter (HOTP, RFC 4226): below 1,000,000.
std::uint32_t hotp(const Secret& key, std::uint64_t counter);

// The number of the step at this time.
std::int64_t totp_step(TimePoint now);

// The step that the code belongs to: the present one, the one before or the one after, if it is
// later than `last_step`. Nothing if the code is wrong.
std::optional<std::int64_t> find_totp_step(const Secret& key, std::string_view code, TimePoint now,
                                           std::int64_t last_step);

// For a QR code: otpauth://totp/…
std::string totp_uri(std::string_view issuer, std::string_view username, const Secret& key);

}  // namespace parley::auth
