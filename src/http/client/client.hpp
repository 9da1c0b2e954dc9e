// An HTTP client: for upstream models, and for our own server from the command line and from tests.
// HTTP/1.1 over TCP or TLS (certificates verified, 1.2 at least). By design it follows no
// redirects, ignores proxy variables, keeps no cookies and decompresses nothing. An ambiguous
// response is refused.
//
// Connections are kept for the next request to the same server. If a kept connection turns out to
// be closed, the request is repeated once on a new one, provided that it cannot have had an effect
// or is safe to repeat.
//
// Threads: a client and its streams belong to one loop. A client must be destroyed before its loop,
// or after the loop's thread has ended; requests in progress may outlive their client.
#pragma once

#include "base/task.hpp"
#include "http/client/address_rule.hpp"
#include "http/client/error.hpp"
#include "http/client/resolver.hpp"
#include "http/client/url.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http {
class Loop;
}

namespace parley::http::client {

struct ClientState;

struct ClientField {
    std::string name;
    std::string value;
};

// Precise to the tick of the loop's timing wheel: never early, at most two ticks late.
struct ClientDeadlines {
    std::chrono::milliseconds connect = std::chrono::seconds(5);      // Name, TCP and TLS together.
    std::chrono::milliseconds first_byte = std::chrono::seconds(60);  // After the request was sent.
    std::chrono::milliseconds silence = std::chrono::seconds(60);     // While sending or receiving.
    std::chrono::milliseconds total = std::chrono::minutes(10);       // From beginning to end.
};

// The client sets Host, Content-Length, Connection and all other framing fields; a request with
// such a field is refused, like one with a line break in a value.
struct ClientRequest {
    std::string method = "GET";
    Url url;
    std::vector<ClientField> fields = {};
    std::string body = {};
    ClientDeadlines deadlines = {};
    std::size_t max_head = std::size_t{16} * 1024;  // Interim responses included; 24 KiB at most.
    std::size_t max_body = std::size_t{8} * 1024 * 1024;  // For send(); a stream has no limit.
    // If it is set, the request gets its own connection, which is closed afterwards.
    AddressRule address_rule = {};
};

struct ClientHead {
    int status = 0;
    std::vector<ClientField> fields;

    // The value of the first field of that name.
    std::optional<std::string_view> field(std::string_view name) const;
};

struct ClientResponse : ClientHead {
    std::string body;
};

// A request, and a response whose body is read in pieces. Destroying it closes the connection,
// unless the response has been read to its end.
class ClientStream {
public:
    virtual ~ClientStream() = default;

    // Sends the request and waits for the head of the response. To be called once, first.
    virtual Task<ClientResult<>> start() = 0;

    virtual const ClientHead& head() const = 0;

    // Waits for the next bytes of the body: some, at most 32 KiB, or none when it has ended. They
    // stay valid until the next call. Not to be called again after an error.
    virtual Task<ClientResult<std::string_view>> next() = 0;

    // Closes the connection; a waiting start() or next() returns soon, with `closed`.
    virtual void abort() = 0;
};

struct ClientOptions {
    std::string ca_file = {};  // PEM; trusted instead of the system's authorities.
    // If set, only this certificate is trusted, regardless of issuer and name: for a server whose
    // fingerprint (TlsIdentity::fingerprint) is known by another way.
    std::string only_certificate = {};
    std::string user_agent = "parley";
    Resolver* resolver = nullptr;  // Instead of the loop's own; must outlive the requests.
    std::size_t max_idle_per_origin = 32;
    std::size_t max_idle = 256;
    std::chrono::milliseconds idle_wait = std::chrono::seconds(60);
};

class Client {
public:
    explicit Client(Loop& loop, ClientOptions options = {});
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    // Reads the certificate authorities now, because doing so at the first TLS request would block
    // the loop and report errors late. Fails with tls.
    ClientResult<> prepare_tls();

    // Waits for the complete response, with any status.
    Task<ClientResult<ClientResponse>> send(ClientRequest request);

    // Waits for the head of the response.
    Task<ClientResult<std::unique_ptr<ClientStream>>> open(ClientRequest request);

    // The same in two steps, for callers that may abort while it waits.
    std::unique_ptr<ClientStream> prepare(ClientRequest request);

    std::size_t idle_connections() const;

private:
    std::shared_ptr<ClientState> state_;
};

}  // namespace parley::http::client
