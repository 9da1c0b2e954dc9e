// The certificate and the key of a server, reloaded on demand: open connections keep the old ones,
// later connections get the new ones.
//
// Threads: any.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace parley::http {

struct TlsFiles {
    std::string certificate;  // PEM, the chain behind it included.
    std::string key;          // PEM.
};

class TlsIdentity {
public:
    explicit TlsIdentity(TlsFiles files) : files_(std::move(files)) {}

    // Reads both files. On failure the old ones stay in use; the message names the file and the
    // fault.
    Result<> load();

    // SHA-256 of the certificate in use, in hexadecimal digits; empty before the first load().
    std::string fingerprint() const;

    // Null before the first successful load().
    std::shared_ptr<boost::asio::ssl::context> current() const;

private:
    TlsFiles files_;
    mutable Mutex mutex_;
    std::shared_ptr<boost::asio::ssl::context> context_ GUARDED_BY(mutex_);
};

}  // namespace parley::http
