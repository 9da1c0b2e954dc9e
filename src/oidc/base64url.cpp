#include "oidc/base64url.hpp"

#include <sodium.h>

namespace parley::oidc {

std::string base64url(std::string_view bytes)
{
    constexpr int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
    std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
    sodium_bin2base64(text.data(), text.size(),
                      reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), variant);
    text.pop_back();  // The final NUL of C.
    return text;
}

std::optional<std::string> base64url_decoded(std::string_view text)
{
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    const int decoded = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()),
                                          bytes.size(), text.data(), text.size(), nullptr, &size,
                                          &end, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    if (decoded != 0 || end != text.data() + text.size()) return std::nullopt;
    bytes.resize(size);
    return bytes;
}

}  // namespace parley::oidc
