// The client's connection to a server, plain or TLS. Every wait has a deadline; when it passes, the
// connection is closed, so that it cannot be used by accident.
//
// Threads: of one loop. All operations must have ended before it is destroyed.
#pragma once

#include "http/client/address_rule.hpp"
#include "http/client/error.hpp"
#include "http/client/resolver.hpp"
#include "http/client/url.hpp"
#include "http/loop.hpp"
#include "http/stream.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <vector>

namespace parley::http::client {

class ClientConnection {
public:
    explicit ClientConnection(Loop& loop) : loop_(loop), socket_(loop.executor()) {}
    // Takes over a socket that is connected.
    ClientConnection(Loop& loop, Socket socket);
    ClientConnection(const ClientConnection&) = delete;
    ClientConnection& operator=(const ClientConnection&) = delete;

    // Tries the addresses of the host one after the other; with `tls`, does the handshake. Fails
    // with unreachable, refused_address, tls or timeout. `rule` must outlive the call. Without a
    // resolver names are looked up by the loop.
    Task<ClientResult<>> connect(const Url& url, boost::asio::ssl::context* tls,
                                 std::chrono::milliseconds patience, const AddressRule& rule,
                                 Resolver* resolver = nullptr);

    using Bytes = std::array<boost::asio::const_buffer, 2>;

    // Reads or writes some bytes, or fails. The deadline must be set before: see wait_at_most().
    Task<std::size_t> read_some(std::span<char> into, ErrorCode& error);
    Task<std::size_t> write_some(const Bytes& bytes, ErrorCode& error);

    // Writes what the kernel takes without waiting; would_block if that is nothing. TLS always has
    // to wait: a record cannot be written by halves.
    std::size_t try_write(const Bytes& bytes, ErrorCode& error);

    void wait_at_most(std::chrono::milliseconds patience);
    void stop_waiting() { alarm_.disarm(); }
    bool timed_out() const { return timed_out_; }

    // Ends all waits permanently, as a deadline would.
    void abandon();

    // There is nothing to read, not even the end of the stream: the next bytes belong to the next
    // response.
    bool quiet();

private:
    class Alarm final : public Deadline {
    public:
        explicit Alarm(ClientConnection& connection) : connection_(connection) {}

    private:
        void expired() override { connection_.give_up_waiting(); }
        ClientConnection& connection_;
    };
    struct Lookup;
    using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

    Task<ClientResult<Endpoints>> find_addresses(const Url& url, SteadyPoint end,
                                                 Resolver* resolver);
    Task<ClientResult<>> connect_to_one(const Url& url, const Endpoints& endpoints,
                                        SteadyPoint end);
    Task<ClientResult<>> shake_hands(const Url& url, boost::asio::ssl::context& tls,
                                     SteadyPoint end);
    void wait_until(SteadyPoint end);
    void give_up_waiting();

    Loop& loop_;
    Socket socket_;
    std::optional<boost::asio::ssl::stream<Socket&>> tls_;
    Timer* lookup_done_ = nullptr;  // While a name is being looked up.
    bool timed_out_ = false;
    bool abandoned_ = false;
    Alarm alarm_{*this};
};

}  // namespace parley::http::client
