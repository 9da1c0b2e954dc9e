#include "http/tls.hpp"

#include "http/fingerprint.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <filesystem>

namespace parley::http {
namespace {

// Selects HTTP/1.1 for clients that use ALPN, and refuses those that do not offer it (RFC 7301
// §3.2).
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* in, unsigned in_size, void*)
{
    static constexpr unsigned char spoken[] = "\x08http/1.1";
    unsigned char* chosen = nullptr;
    const int found =
        SSL_select_next_proto(&chosen, out_size, spoken, sizeof(spoken) - 1, in, in_size);
    *out = chosen;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Error cannot(const std::string& what, const std::string& file)
{
    Error error{Errc::internal, "Cannot " + what + " " + file + "."};
    const char* reason = ERR_reason_error_string(ERR_peek_last_error());
    std::error_code missing;
    if (!std::filesystem::exists(file, missing))
        error.message = "The file " + file + " does not exist.";
    else if (reason)
        error.message = "Cannot " + what + " " + file + ": " + reason + ".";
    ERR_clear_error();
    return error;
}

}  // namespace

Result<> TlsIdentity::load()
{
    ERR_clear_error();
    using boost::asio::ssl::context;
    auto fresh = std::make_shared<context>(context::tls_server);
    SSL_CTX* native = fresh->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    // Idle connections free their record buffers. Renegotiation is off: it would only let clients
    // waste CPU time.
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
    if (SSL_CTX_use_certificate_chain_file(native, files_.certificate.c_str()) != 1)
        return cannot("read the certificate", files_.certificate);
    if (SSL_CTX_use_PrivateKey_file(native, files_.key.c_str(), SSL_FILETYPE_PEM) != 1)
        return cannot("read the private key", files_.key);
    if (SSL_CTX_check_private_key(native) != 1)
        return cannot("match the certificate with the key", files_.key);
    const MutexLock lock(mutex_);
    context_ = std::move(fresh);
    return {};
}

std::string TlsIdentity::fingerprint() const
{
    const auto context = current();
    if (!context) return {};
    return certificate_fingerprint(*SSL_CTX_get0_certificate(context->native_handle()));
}

std::shared_ptr<boost::asio::ssl::context> TlsIdentity::current() const
{
    const MutexLock lock(mutex_);
    return context_;
}

}  // namespace parley::http
