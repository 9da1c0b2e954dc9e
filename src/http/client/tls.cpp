#include "http/client/tls.hpp"

#include "http/fingerprint.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace parley::http::client {

namespace {

// Replaces all checks of OpenSSL.
int is_the_one(X509_STORE_CTX* verifying, void* expected)
{
    const X509* shown = X509_STORE_CTX_get0_cert(verifying);
    if (shown && certificate_fingerprint(*shown) == *static_cast<const std::string*>(expected))
        return 1;
    X509_STORE_CTX_set_error(verifying, X509_V_ERR_CERT_REJECTED);
    return 0;
}

}  // namespace

ClientResult<std::unique_ptr<boost::asio::ssl::context>> make_client_tls(
    const std::string& ca_file, const std::string& only_certificate)
{
    using boost::asio::ssl::context;
    auto tls = std::make_unique<context>(context::tls_client);
    SSL_CTX* native = tls->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // Most connections are idle.
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_verify(native, SSL_VERIFY_PEER, nullptr);
    static constexpr unsigned char spoken[] = "\x08http/1.1";
    SSL_CTX_set_alpn_protos(native, spoken, sizeof(spoken) - 1);

    if (!only_certificate.empty()) {
        SSL_CTX_set_cert_verify_callback(native, is_the_one,
                                         const_cast<std::string*>(&only_certificate));
        return tls;
    }
    ERR_clear_error();
    const bool loaded = ca_file.empty()
                            ? SSL_CTX_set_default_verify_paths(native) == 1
                            : SSL_CTX_load_verify_locations(native, ca_file.c_str(), nullptr) == 1;
    if (loaded) return tls;
    const char* reason = ERR_reason_error_string(ERR_peek_last_error());
    ClientError error{ClientFailure::tls, "Cannot read the certificate authorities in " +
                                              (ca_file.empty() ? "the system's store" : ca_file)};
    error.message += reason ? std::string(": ") + reason + "." : ".";
    ERR_clear_error();
    return error;
}

bool expect_host(SSL* connection, const Url& url)
{
    const std::string& host = url.host();
    // The subject's common name is not a host name, and *.example.com stands for one whole label.
    SSL_set_hostflags(connection,
                      X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (url.host_is_address())  // RFC 6066 §3: addresses are not sent as SNI.
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), host.c_str()) == 1;
    return SSL_set_tlsext_host_name(connection, host.c_str()) == 1 &&
           SSL_set1_host(connection, host.c_str()) == 1;
}

ClientError explain_handshake(SSL* connection, const Url& url, const std::string& reason)
{
    const long verdict = SSL_get_verify_result(connection);
    if (verdict != X509_V_OK)
        return {ClientFailure::tls,
                "The certificate of " + url.host_and_port() +
                    " is not trusted: " + X509_verify_cert_error_string(verdict) + "."};
    return {ClientFailure::tls,
            "Cannot make a TLS connection to " + url.host_and_port() + ": " + reason + "."};
}

}  // namespace parley::http::client
