#include "limits/local/key_hashes.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace parley::limits::local {
namespace {

using Secret = std::array<unsigned char, crypto_shorthash_siphashx24_KEYBYTES>;

constexpr std::size_t cached_hashes = 64;  // Few enough for the L1 cache.

// One cache line.
struct alignas(64) Remembered {
    KeyHash hash;
    std::uint64_t secret = 0;  // The first bytes of the secret that was used, which is random.
    std::array<char, 39> bytes{};
    std::uint8_t size = 0;  // 0: empty.
};
static_assert(sizeof(Remembered) == 64);

KeyHash compute(std::string_view bytes, const Secret& secret)
{
    KeyHash result;
    static_assert(sizeof result == crypto_shorthash_siphashx24_BYTES);
    crypto_shorthash_siphashx24(reinterpret_cast<unsigned char*>(&result),
                                reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                                secret.data());
    return result;
}

// Ids differ in their last bytes. An attacker who forces collisions costs one hash per request.
std::size_t place_of(std::string_view bytes)
{
    std::uint64_t last = 0;
    const std::size_t count = std::min(sizeof last, bytes.size());
    std::memcpy(&last, bytes.data() + bytes.size() - count, count);
    return (last * 0x9E3779B97F4A7C15U) >> 58U;
}
static_assert(cached_hashes == std::size_t{1} << (64U - 58U));

}  // namespace

KeyHash hash_of(const Key& key, const Header& header)
{
    const Secret& secret = header.fixed.hash_keys[static_cast<std::size_t>(key.kind())];
    const std::string_view bytes = key.bytes();
    thread_local std::array<Remembered, cached_hashes> all;
    // Ids are short enough; longer keys are hashed each time.
    if (bytes.empty() || bytes.size() > all.front().bytes.size()) return compute(bytes, secret);

    std::uint64_t made_with = 0;
    std::memcpy(&made_with, secret.data(), sizeof made_with);
    Remembered& found = all[place_of(bytes)];
    const bool is_it = found.size == bytes.size() && found.secret == made_with &&
                       std::memcmp(found.bytes.data(), bytes.data(), bytes.size()) == 0;
    if (is_it) return found.hash;
    found.hash = compute(bytes, secret);
    found.secret = made_with;
    found.size = static_cast<std::uint8_t>(bytes.size());
    std::memcpy(found.bytes.data(), bytes.data(), bytes.size());
    return found.hash;
}

}  // namespace parley::limits::local
