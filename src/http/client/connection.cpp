#include "http/client/connection.hpp"

#include "http/client/tls.hpp"

#include <boost/asio/ip/basic_resolver.hpp>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sys/socket.h>

namespace parley::http::client {

using boost::asio::redirect_error;
using boost::asio::ip::tcp;
using std::chrono::milliseconds;

// A DNS look-up. getaddrinfo cannot be interrupted, so it may outlive the request.
struct ClientConnection::Lookup {
    explicit Lookup(Executor executor) : resolver(executor), done(executor, SteadyPoint::max()) {}

    boost::asio::ip::basic_resolver<tcp, Executor> resolver;
    Timer done;
    ErrorCode error = boost::asio::error::timed_out;
    Endpoints found;
};

namespace {

ClientError connecting_timed_out(const Url& url)
{
    return {ClientFailure::timeout, "Timeout while connecting to " + url.host_and_port() + "."};
}

}  // namespace

ClientConnection::ClientConnection(Loop& loop, Socket socket)
    : loop_(loop), socket_(std::move(socket))
{
    ErrorCode ignored;
    socket_.non_blocking(true, ignored);
}

Task<ClientResult<>> ClientConnection::connect(const Url& url, boost::asio::ssl::context* tls,
                                               milliseconds patience, const AddressRule& rule,
                                               Resolver* resolver)
{
    const SteadyPoint end = loop_.clock().steady() + patience;
    const auto endpoints = co_await find_addresses(url, end, resolver);
    if (!endpoints) co_return endpoints.error();
    if (!allowed_by(rule, *endpoints)) {
        stop_waiting();
        co_return ClientError{ClientFailure::refused_address,
                              "Connections to " + url.host() + " are not allowed."};
    }
    auto connected = co_await connect_to_one(url, *endpoints, end);
    if (connected && tls) connected = co_await shake_hands(url, *tls, end);
    stop_waiting();
    co_return connected;
}

Task<ClientResult<ClientConnection::Endpoints>> ClientConnection::find_addresses(const Url& url,
                                                                                 SteadyPoint end,
                                                                                 Resolver* resolver)
{
    if (url.host_is_address())
        co_return Endpoints{{boost::asio::ip::make_address(url.host()), url.port()}};

    const auto lookup = std::make_shared<Lookup>(loop_.executor());
    if (resolver)
        resolver->resolve(url.host(), [lookup, port = url.port()](const Addresses& addresses) {
            boost::asio::post(lookup->done.get_executor(), [lookup, port, addresses] {
                lookup->error = boost::asio::error::host_not_found;
                if (!addresses.empty()) lookup->error = {};
                for (const auto& each : addresses) lookup->found.emplace_back(each, port);
                lookup->done.cancel();
            });
        });
    else
        lookup->resolver.async_resolve(url.host(), std::to_string(url.port()),
                                       boost::asio::ip::resolver_base::numeric_service,
                                       [lookup](const ErrorCode& error, const auto& results) {
                                           lookup->error = error;
                                           for (const auto& result : results)
                                               lookup->found.push_back(result.endpoint());
                                           lookup->done.cancel();
                                       });
    wait_until(end);
    lookup_done_ = &lookup->done;
    ErrorCode ignored;
    co_await lookup->done.async_wait(redirect_error(awaiting, ignored));
    lookup_done_ = nullptr;
    if (timed_out_) co_return connecting_timed_out(url);
    if (lookup->error || lookup->found.empty())
        co_return ClientError{.kind = ClientFailure::unreachable,
                              .message = "Cannot find the address of " + url.host_and_port() +
                                         ": " + lookup->error.message() + ".",
                              .has_no_address = true};
    co_return lookup->found;
}

Task<ClientResult<>> ClientConnection::connect_to_one(const Url& url, const Endpoints& endpoints,
                                                      SteadyPoint end)
{
    ErrorCode error;
    for (std::size_t i = 0; i < endpoints.size() && !abandoned_; ++i) {
        // Each address gets a share of the remaining time: one that never answers (for example a
        // broken IPv6 route) must not use up all of it.
        const auto now = loop_.clock().steady();
        const auto share = (end - now) / static_cast<int>(endpoints.size() - i);
        timed_out_ = false;
        wait_until(now + share);
        error = {};
        co_await socket_.async_connect(endpoints[i], redirect_error(awaiting, error));
        if (!error && !timed_out_) {
            socket_.set_option(tcp::no_delay(true), error);
            socket_.non_blocking(true, error);
            co_return ClientResult<>();
        }
        ErrorCode ignored;
        socket_.close(ignored);
    }
    if (timed_out_) co_return connecting_timed_out(url);
    co_return ClientError{ClientFailure::unreachable, "Cannot connect to " + url.host_and_port() +
                                                          ": " + error.message() + "."};
}

Task<ClientResult<>> ClientConnection::shake_hands(const Url& url, boost::asio::ssl::context& tls,
                                                   SteadyPoint end)
{
    tls_.emplace(socket_, tls);
    SSL* native = tls_->native_handle();
    if (!expect_host(native, url))
        co_return ClientError{ClientFailure::tls, "OpenSSL cannot prepare a connection to " +
                                                      url.host_and_port() + "."};
    wait_until(end);
    ErrorCode error;
    co_await tls_->async_handshake(boost::asio::ssl::stream_base::client,
                                   redirect_error(awaiting, error));
    if (timed_out_) co_return connecting_timed_out(url);
    if (error) co_return explain_handshake(native, url, error.message());
    co_return ClientResult<>();
}

Task<std::size_t> ClientConnection::read_some(std::span<char> into, ErrorCode& error)
{
    const auto buffer = boost::asio::buffer(into.data(), into.size());
    if (tls_) return tls_->async_read_some(buffer, redirect_error(awaiting, error));
    return socket_.async_read_some(buffer, redirect_error(awaiting, error));
}

Task<std::size_t> ClientConnection::write_some(const Bytes& bytes, ErrorCode& error)
{
    if (tls_) return tls_->async_write_some(bytes, redirect_error(awaiting, error));
    return socket_.async_write_some(bytes, redirect_error(awaiting, error));
}

std::size_t ClientConnection::try_write(const Bytes& bytes, ErrorCode& error)
{
    if (!tls_) return socket_.write_some(bytes, error);
    error = boost::asio::error::would_block;
    return 0;
}

void ClientConnection::wait_at_most(milliseconds patience)
{
    alarm_.arm(loop_.wheel(), std::max(patience, milliseconds(0)));
}

void ClientConnection::wait_until(SteadyPoint end)
{
    wait_at_most(std::chrono::ceil<milliseconds>(end - loop_.clock().steady()));
}

void ClientConnection::abandon()
{
    abandoned_ = true;
    stop_waiting();
    give_up_waiting();
}

void ClientConnection::give_up_waiting()
{
    timed_out_ = true;
    if (lookup_done_) lookup_done_->cancel();
    ErrorCode ignored;
    socket_.close(ignored);
}

bool ClientConnection::quiet()
{
    char byte = 0;
    const auto got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace parley::http::client
