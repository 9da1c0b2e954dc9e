// The fingerprint of a certificate: its SHA-256 in hexadecimal digits.
#pragma once

#include "base/hex.hpp"

#include <openssl/x509.h>

#include <array>
#include <string>

namespace parley::http {

inline std::string certificate_fingerprint(const X509& certificate)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (X509_digest(&certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
    return to_hex(std::span(digest).first(size));
}

}  // namespace parley::http
