#include "auth/totp.hpp"

#include "base/base32.hpp"
#include "base/random.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <fmt/format.h>
#include <span>
#include <stdexcept>

namespace parley::auth {
namespace {

constexpr std::size_t key_size = 20;
constexpr std::chrono::seconds step_length{30};
constexpr std::uint32_t code_end = 1'000'000;
constexpr std::size_t code_digits = 6;

using Sha1 = std::array<unsigned char, 20>;

Sha1 hmac_sha1(const Secret& key, std::span<const unsigned char> text)
{
    Sha1 hash{};
    unsigned size = 0;
    const auto* made = HMAC(EVP_sha1(), key.reveal().data(), static_cast<int>(key.reveal().size()),
                            text.data(), text.size(), hash.data(), &size);
    if (!made || size != hash.size()) throw std::runtime_error("OpenSSL has no SHA-1");
    return hash;
}

void append_escaped(std::string& uri, std::string_view text)
{
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (const char letter : text) {
        if (plain.find(letter) != plain.npos)
            uri += letter;
        else
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
}

}  // namespace

Secret new_totp_key()
{
    std::string key(key_size, '\0');
    random_bytes(std::as_writable_bytes(std::span(key)));
    return Secret::taken_from(key);
}

std::uint32_t hotp(const Secret& key, std::uint64_t counter)
{
    std::array<unsigned char, 8> text{};
    for (std::size_t i = text.size(); i-- > 0; counter >>= 8U)
        text.at(i) = static_cast<unsigned char>(counter & 0xffU);
    const Sha1 hash = hmac_sha1(key, text);
    const std::size_t offset = hash.back() & 0xfU;
    std::uint32_t number = hash.at(offset) & 0x7fU;
    for (std::size_t i = 1; i < 4; ++i) number = number << 8U | hash.at(offset + i);
    return number % code_end;
}

std::int64_t totp_step(TimePoint now)
{
    return std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()) / step_length;
}

std::optional<std::int64_t> find_totp_step(const Secret& key, std::string_view code, TimePoint now,
                                           std::int64_t last_step)
{
    if (code.size() != code_digits) return std::nullopt;
    const std::int64_t present = totp_step(now);
    std::optional<std::int64_t> found;
    for (std::int64_t step = present - 1; step <= present + 1; ++step) {
        if (step < 0) continue;
        const std::string right = fmt::format("{:06}", hotp(key, static_cast<std::uint64_t>(step)));
        // All steps are compared, so that the time does not tell which of them it was.
        if (constant_time_equal(right, code) && step > last_step && !found) found = step;
    }
    return found;
}

std::string totp_uri(std::string_view issuer, std::string_view username, const Secret& key)
{
    std::string uri = "otpauth://totp/";
    append_escaped(uri, issuer);
    uri += ':';
    append_escaped(uri, username);
    uri.append("?secret=").append(base32(key.reveal())).append("&issuer=");
    append_escaped(uri, issuer);
    return uri.append("&algorithm=SHA1&digits=6&period=30");
}

}  // namespace parley::auth
