#include "base/sealer.hpp"

#include "base/random.hpp"

#include <sodium.h>

#include <array>
#include <span>

namespace parley {
namespace {

constexpr std::size_t nonce_size = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_size = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t key_size = crypto_aead_xchacha20poly1305_ietf_KEYBYTES;

const unsigned char* octets_of(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* octets_of(std::string& text)
{
    return reinterpret_cast<unsigned char*>(text.data());
}

Error wrong_key()
{
    return {Errc::internal, "a stored secret cannot be read: it was sealed with another key"};
}

}  // namespace

Sealer::Sealer(const Secret& key, std::string_view purpose)
{
    std::string derived(key_size, '\0');
    crypto_generichash_state state;
    crypto_generichash_init(&state, octets_of(purpose), purpose.size(), key_size);
    crypto_generichash_update(&state, octets_of(key.reveal()), key.reveal().size());
    crypto_generichash_final(&state, octets_of(derived), key_size);
    sodium_memzero(&state, sizeof(state));
    key_ = Secret::taken_from(derived);
}

std::string Sealer::seal(std::string_view id, const Secret& secret) const
{
    const std::string_view text = secret.reveal();
    std::string sealed(nonce_size + text.size() + tag_size, '\0');
    random_bytes(std::as_writable_bytes(std::span(sealed)).first(nonce_size));
    crypto_aead_xchacha20poly1305_ietf_encrypt(
        octets_of(sealed) + nonce_size, nullptr, octets_of(text), text.size(), octets_of(id),
        id.size(), nullptr, octets_of(sealed), octets_of(key_.reveal()));
    return sealed;
}

Result<Secret> Sealer::open(std::string_view id, std::string_view sealed) const
{
    if (sealed.size() < nonce_size + tag_size) return wrong_key();
    std::string text(sealed.size() - nonce_size - tag_size, '\0');
    const int opened = crypto_aead_xchacha20poly1305_ietf_decrypt(
        octets_of(text), nullptr, nullptr, octets_of(sealed) + nonce_size,
        sealed.size() - nonce_size, octets_of(id), id.size(), octets_of(sealed),
        octets_of(key_.reveal()));
    if (opened != 0) return wrong_key();
    return Secret::taken_from(text);
}

}  // namespace parley
