// The client's requirements for TLS: version 1.2 or later, and a certificate that a trusted
// authority issued for the requested host.
#pragma once

#include "http/client/error.hpp"
#include "http/client/url.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace parley::http::client {

// Trusts the authorities in `ca_file`, or those of the system if it is empty; or only one
// certificate, by its fingerprint, which must outlive the context. Fails with tls.
ClientResult<std::unique_ptr<boost::asio::ssl::context>> make_client_tls(
    const std::string& ca_file, const std::string& only_certificate);

// Before the handshake: sets the host for SNI and for the verification of the certificate. False if
// OpenSSL is out of memory.
bool expect_host(SSL* connection, const Url& url);

// After a handshake that failed.
ClientError explain_handshake(SSL* connection, const Url& url, const std::string& reason);

}  // namespace parley::http::client
