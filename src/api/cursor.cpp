#include "api/cursor.hpp"

#include "base/random.hpp"

#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>

#include <array>
#include <cstdint>

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

Error invalid_cursor()
{
    return {Errc::invalid_cursor, "The cursor belongs to another list; start without one."};
}

}  // namespace

std::string Cursors::seal(std::string_view list, std::string_view position) const
{
    const std::string sealed = mac_of(key_, list, position).append(position);
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
        end != cursor.data() + cursor.size() || size < mac_size)
        return invalid_cursor();
    sealed.resize(size);
    std::string position = sealed.substr(mac_size);
    if (!constant_time_equal(std::string_view(sealed).substr(0, mac_size),
                             mac_of(key_, list, position)))
        return invalid_cursor();
    return position;
}

}  // namespace parley::api
