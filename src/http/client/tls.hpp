// What the client demands of a secure connection: TLS 1.2 or later, a certificate that leads to an
// authority we trust and that was issued for the host we asked for.
#pragma once

#include "http/client/error.hpp"
#include "http/client/url.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace parley::http::client {

// Trusts the authorities in `ca_file`, or those of the system where it is empty; or one certificate
// alone, by its fingerprint, which must outlive the context. Fails with tls.
ClientResult<std::unique_ptr<boost::asio::ssl::context>> make_client_tls(
    const std::string& ca_file, const std::string& only_certificate);

// Before the handshake: names the host we want (SNI), and to whom the certificate must belong.
// False if OpenSSL is out of memory.
bool expect_host(SSL* connection, const Url& url);

// After a handshake that failed.
ClientError explain_handshake(SSL* connection, const Url& url, const std::string& reason);

}  // namespace parley::http::client
