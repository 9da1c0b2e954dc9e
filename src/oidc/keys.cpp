#include "oidc/keys.hpp"

#include "base/json.hpp"
#include "oidc/base64url.hpp"
#include "oidc/text_member.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <optional>

namespace parley::oidc {
namespace {

constexpr std::size_t most_keys = 64;
constexpr int fewest_rsa_bits = 2048;
constexpr int most_rsa_bits = 8192;
constexpr std::size_t coordinate_size = 32;
constexpr std::size_t most_exponent = 8;

template <auto Free>
struct Freed {
    void operator()(auto* made) const { Free(made); }
};
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using ParameterBuilder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using EcdsaSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

const unsigned char* octets(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

Number number_of(std::string_view bytes)
{
    return Number(BN_bin2bn(octets(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::optional<std::string> bytes_member(const boost::json::object& from, std::string_view name)
{
    const auto text = text_member(from, name);
    return text ? base64url_decoded(*text) : std::nullopt;
}

// Null if OpenSSL refuses it, such as a point that is not on the curve.
std::shared_ptr<EVP_PKEY> made_of(const char* type, OSSL_PARAM_BLD* builder)
{
    const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
    if (EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
        return nullptr;
    return {key, EVP_PKEY_free};
}

std::shared_ptr<EVP_PKEY> rsa_key(const boost::json::object& from)
{
    const auto modulus = bytes_member(from, "n");
    const auto exponent = bytes_member(from, "e");
    if (!modulus || !exponent || modulus->size() > most_rsa_bits / 8 + 1 ||
        exponent->size() > most_exponent)
        return nullptr;
    const Number n = number_of(*modulus);
    const Number e = number_of(*exponent);
    const int bits = BN_num_bits(n.get());
    if (bits < fewest_rsa_bits || bits > most_rsa_bits || BN_is_odd(n.get()) == 0 ||
        BN_is_odd(e.get()) == 0 || BN_is_one(e.get()) != 0)
        return nullptr;
    const ParameterBuilder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
    return made_of("RSA", builder.get());
}

std::shared_ptr<EVP_PKEY> p256_key(const boost::json::object& from)
{
    const auto x = bytes_member(from, "x");
    const auto y = bytes_member(from, "y");
    if (text_member(from, "crv") != "P-256" || !x || !y || x->size() != coordinate_size ||
        y->size() != coordinate_size)
        return nullptr;
    const std::string point = "\x04" + *x + *y;  // Not compressed.
    const ParameterBuilder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
    OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                     point.size());
    return made_of("EC", builder.get());
}

bool is_for_signatures(const boost::json::object& from, std::string_view algorithm)
{
    const auto use = from.if_contains("use") ? text_member(from, "use") : "sig";
    const auto alg = from.if_contains("alg") ? text_member(from, "alg") : algorithm;
    return use == "sig" && alg == algorithm;
}

std::optional<Key> key_of(const boost::json::value& value)
{
    const auto* from = value.if_object();
    if (!from) return std::nullopt;
    Key key{.id = std::string(text_member(*from, "kid").value_or("")), .key = nullptr};
    const auto kind = text_member(*from, "kty");
    if (kind == "RSA" && is_for_signatures(*from, "RS256")) key.key = rsa_key(*from);
    if (kind == "EC" && is_for_signatures(*from, "ES256")) {
        key.algorithm = Algorithm::es256;
        key.key = p256_key(*from);
    }
    if (!key.key) return std::nullopt;
    return key;
}

// JSON Web Signatures have the two numbers one after the other, OpenSSL takes them as DER.
std::string der_of(std::string_view signature)
{
    if (signature.size() != 2 * coordinate_size) return {};
    const EcdsaSignature made(ECDSA_SIG_new());
    ECDSA_SIG_set0(made.get(), number_of(signature.substr(0, coordinate_size)).release(),
                   number_of(signature.substr(coordinate_size)).release());
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(made.get(), &der);
    if (size <= 0) return {};
    std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    return text;
}

}  // namespace

Result<Keys> read_keys(std::string_view text)
{
    const auto parsed = json::parse(text);
    const auto* set =
        parsed && parsed->is_object() ? parsed->get_object().if_contains("keys") : nullptr;
    if (!set || !set->is_array())
        return Error{Errc::provider_error, "The login provider's keys cannot be read.",
                     parsed ? "no array \"keys\"" : parsed.error().message};
    Keys keys;
    for (const auto& each : set->get_array()) {
        if (auto key = key_of(each)) keys.push_back(std::move(*key));
        if (keys.size() == most_keys) break;
    }
    if (keys.empty())
        return Error{Errc::provider_error, "The login provider has no key that can be used.",
                     "neither an RSA key (RS256) nor a P-256 key (ES256)"};
    return keys;
}

bool verifies(const Key& key, std::string_view text, std::string_view signature)
{
    const std::string der = key.algorithm == Algorithm::es256 ? der_of(signature) : std::string();
    const std::string_view checked = key.algorithm == Algorithm::es256 ? der : signature;
    if (checked.empty()) return false;
    const DigestContext context(EVP_MD_CTX_new());
    return context &&
           EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.key.get()) ==
               1 &&
           EVP_DigestVerify(context.get(), octets(checked), checked.size(), octets(text),
                            text.size()) == 1;
}

}  // namespace parley::oidc
