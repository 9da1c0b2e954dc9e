// As connection_fuzz.cpp, over TLS: the pieces are records.
#include "http/driver_for_fuzz.hpp"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <csignal>
#include <memory>

namespace {

using namespace parley::http;
using boost::asio::ssl::context;

// A certificate with a new key; the client accepts any.
std::shared_ptr<context> server_context()
{
    static const std::shared_ptr<context> made = [] {
        const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"),
                                                                 EVP_PKEY_free);
        const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
        X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
        X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86'400);
        X509_set_pubkey(certificate.get(), key.get());
        X509_sign(certificate.get(), key.get(), EVP_sha256());
        auto fresh = std::make_shared<context>(context::tls_server);
        SSL_CTX_use_certificate(fresh->native_handle(), certificate.get());
        SSL_CTX_use_PrivateKey(fresh->native_handle(), key.get());
        return fresh;
    }();
    return made;
}

SSL_CTX* client_context()
{
    static SSL_CTX* made = [] {
        SSL_CTX* fresh = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_mode(fresh,
                         SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        return fresh;
    }();
    return made;
}

class TlsLine {
public:
    TlsLine() : client_(SSL_new(client_context()), SSL_free)
    {
        SSL_set_fd(client_.get(), pair_.client());
        SSL_set_connect_state(client_.get());
    }
    TlsStream server_end(Loop& loop) { return {pair_.server(loop), server_context()}; }
    template <class Settle>
    void establish(Settle settle)
    {
        int done = 0;
        for (int i = 0; i < 10 && done != 1; ++i) {
            done = SSL_do_handshake(client_.get());
            settle();
        }
        fuzz::require(done == 1, "no handshake");
    }
    std::size_t send(std::string_view bytes)
    {
        const int count = SSL_write(client_.get(), bytes.data(), static_cast<int>(bytes.size()));
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    void receive(std::string& into)
    {
        if (!SSL_is_init_finished(client_.get())) return;
        std::array<char, 16384> piece;
        int count = 0;
        while ((count = SSL_read(client_.get(), piece.data(), piece.size())) > 0)
            into.append(piece.data(), static_cast<std::size_t>(count));
    }
    void finish()
    {
        SSL_shutdown(client_.get());
        pair_.finish();
    }
    void close() { pair_.close(); }

private:
    fuzz::SocketPair pair_;
    std::unique_ptr<SSL, void (*)(SSL*)> client_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const bool quiet = std::signal(SIGPIPE, SIG_IGN) != SIG_ERR;
    static_cast<void>(quiet);
    const fuzz::Scenario scenario = fuzz::make_scenario({data, size});
    fuzz::Driver<TlsLine>(scenario).run();
    return 0;
}
