#include "api/cursor.hpp"

#include "base/random.hpp"

#include <sodium/crypto_generichash.h>
#include <sodium/crypto_stream_xchacha20.h>
#include <sodium/utils.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace parley::api {
namespace {

constexpr std::size_t mac_size = 16;
constexpr int alphabet = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

const unsigned char* bytes(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string mac_of(const Secret& key, std::string_view list, std::string_view position)
{
    std::string mac(mac_size, '\0');
    crypto_generichash_state state;
    crypto_generichash_init(&state, bytes(key.reveal()), key.reveal().size(), mac.size());
    // The length separates both texts: without it, another pair could give the same bytes.
    const std::uint64_t length = list.size();
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&length),
                              sizeof(length));
    crypto_generichash_update(&state, bytes(list), list.size());
    crypto_generichash_update(&state, bytes(position), position.size());
    crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(mac.data()), mac.size());
    return mac;
}

// Encrypts or decrypts. The MAC of the text is the nonce, so different texts have different ones.
std::string crypted(const Secret& key, std::string_view mac, std::string_view text)
{
    constexpr std::string_view purpose = "encryption of cursors";
    std::array<unsigned char, crypto_stream_xchacha20_KEYBYTES> own_key{};
    crypto_generichash(own_key.data(), own_key.size(), bytes(purpose), purpose.size(),
                       bytes(key.reveal()), key.reveal().size());
    std::array<unsigned char, crypto_stream_xchacha20_NONCEBYTES> nonce{};
    static_assert(nonce.size() >= mac_size);
    std::ranges::copy(mac, nonce.begin());
    std::string out(text.size(), '\0');
    crypto_stream_xchacha20_xor(reinterpret_cast<unsigned char*>(out.data()), bytes(text),
                                text.size(), nonce.data(), own_key.data());
    return out;
}

// The number of digits of a position would tell how large it is.
constexpr std::size_t block_size = 16;
constexpr char end_of_text = '\x01';

std::string padded(std::string_view text)
{
    std::string all(text);
    all += end_of_text;
    all.resize((all.size() + block_size - 1) / block_size * block_size, '\0');
    return all;
}

std::optional<std::string> unpadded(std::string_view all)
{
    const std::size_t end = all.find_last_not_of('\0');
    if (end == all.npos || all[end] != end_of_text) return {};
    return std::string(all.substr(0, end));
}

Error invalid_cursor()
{
    return {Errc::invalid_cursor, "The cursor belongs to another list; start without one."};
}

}  // namespace

std::string Cursors::seal(std::string_view list, std::string_view position) const
{
    const std::string mac = mac_of(key_, list, position);
    const std::string sealed = mac + crypted(key_, mac, padded(position));
    std::string text(sodium_base64_ENCODED_LEN(sealed.size(), alphabet), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes(sealed), sealed.size(), alphabet);
    text.pop_back();  // The NUL.
    return text;
}

Result<std::string> Cursors::open(std::string_view list, std::string_view cursor) const
{
    std::string sealed(cursor.size(), '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    if (sodium_base642bin(reinterpret_cast<unsigned char*>(sealed.data()), sealed.size(),
                          cursor.data(), cursor.size(), nullptr, &size, &end, alphabet) != 0 ||
        end != cursor.data() + cursor.size() || size < mac_size ||
        (size - mac_size) % block_size != 0)  // A part of the padding would not be missed.
        return invalid_cursor();
    sealed.resize(size);
    const std::string_view mac = std::string_view(sealed).substr(0, mac_size);
    auto position = unpadded(crypted(key_, mac, std::string_view(sealed).substr(mac_size)));
    if (!position || !constant_time_equal(mac, mac_of(key_, list, *position)))
        return invalid_cursor();
    return std::move(*position);
}

}  // namespace parley::api
