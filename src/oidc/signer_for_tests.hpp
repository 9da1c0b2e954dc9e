// A provider's private key in tests: makes key sets and signed tokens.
#pragma once

#include "oidc/base64url.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::oidc {

class Signer {
public:
    static Signer rsa(std::string id, unsigned bits = 2048)
    {
        return {"RS256", std::move(id), EVP_RSA_gen(bits)};
    }
    static Signer p256(std::string id) { return {"ES256", std::move(id), EVP_EC_gen("P-256")}; }

    boost::json::object key() const
    {
        boost::json::object key{{"kid", id_}, {"use", "sig"}, {"alg", algorithm_}};
        if (algorithm_ == "RS256") {
            key["kty"] = "RSA";
            key["n"] = number(OSSL_PKEY_PARAM_RSA_N);
            key["e"] = number(OSSL_PKEY_PARAM_RSA_E);
        } else {
            key["kty"] = "EC";
            key["crv"] = "P-256";
            key["x"] = number(OSSL_PKEY_PARAM_EC_PUB_X, 32);
            key["y"] = number(OSSL_PKEY_PARAM_EC_PUB_Y, 32);
        }
        return key;
    }
    std::string key_set() const
    {
        return boost::json::serialize(boost::json::object{{"keys", boost::json::array{key()}}});
    }

    std::string token(const boost::json::object& claims) const
    {
        return token({{"alg", algorithm_}, {"kid", id_}}, claims);
    }
    std::string token(const boost::json::object& header, const boost::json::object& claims) const
    {
        const std::string text = base64url(boost::json::serialize(header)) + "." +
                                 base64url(boost::json::serialize(claims));
        return text + "." + base64url(signature(text));
    }

    std::string signature(const std::string& text) const
    {
        const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                         EVP_MD_CTX_free);
        EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
        const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
        std::size_t size = 0;
        EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
        std::vector<unsigned char> made(size);
        EVP_DigestSign(context.get(), made.data(), &size, bytes, text.size());
        made.resize(size);
        if (algorithm_ == "RS256") return {made.begin(), made.end()};
        const unsigned char* der = made.data();
        const std::unique_ptr<ECDSA_SIG, void (*)(ECDSA_SIG*)> pair(
            d2i_ECDSA_SIG(nullptr, &der, static_cast<long>(size)), ECDSA_SIG_free);
        std::string joined(64, '\0');
        auto* out = reinterpret_cast<unsigned char*>(joined.data());
        BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out, 32);
        BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out + 32, 32);
        return joined;
    }

private:
    Signer(std::string algorithm, std::string id, EVP_PKEY* key)
        : algorithm_(std::move(algorithm)), id_(std::move(id)), key_(key, EVP_PKEY_free)
    {
    }

    std::string number(const char* name, int size = 0) const
    {
        BIGNUM* made = nullptr;
        EVP_PKEY_get_bn_param(key_.get(), name, &made);
        const std::unique_ptr<BIGNUM, void (*)(BIGNUM*)> value(made, BN_free);
        if (size == 0) size = BN_num_bytes(value.get());
        std::string bytes(static_cast<std::size_t>(size), '\0');
        BN_bn2binpad(value.get(), reinterpret_cast<unsigned char*>(bytes.data()), size);
        return base64url(bytes);
    }

    std::string algorithm_;
    std::string id_;
    std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace parley::oidc
