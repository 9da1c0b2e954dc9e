// The two kinds of byte streams of a connection, plain and TLS, with the same operations, so that
// the code of a connection is written once.
#pragma once

#include "base/task.hpp"
#include "http/loop.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace parley::http {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using ErrorCode = boost::system::error_code;

class PlainStream {
public:
    static constexpr bool secure = false;

    explicit PlainStream(Socket socket) : socket_(std::move(socket)) {}

    Socket& socket() { return socket_; }

    auto read_some(boost::asio::mutable_buffer into, ErrorCode& error)
    {
        return socket_.async_read_some(into, boost::asio::redirect_error(awaiting, error));
    }

    template <class Buffers>
    auto write_some(const Buffers& bytes, ErrorCode& error)
    {
        return socket_.async_write_some(bytes, boost::asio::redirect_error(awaiting, error));
    }

    // Writes as much as the kernel accepts at once; would_block if that is nothing.
    template <class Buffers>
    std::size_t try_write(const Buffers& bytes, ErrorCode& error)
    {
        return socket_.write_some(bytes, error);
    }

    Task<> handshake(ErrorCode& error)
    {
        error = {};
        co_return;
    }
    Task<> say_goodbye() { co_return; }

private:
    Socket socket_;
};

class TlsStream {
public:
    static constexpr bool secure = true;

    // Keeps the TLS context that it began with, also after a reload.
    TlsStream(Socket socket, std::shared_ptr<boost::asio::ssl::context> context)
        : context_(std::move(context)), stream_(std::move(socket), *context_)
    {
    }

    Socket& socket() { return stream_.next_layer(); }

    auto read_some(boost::asio::mutable_buffer into, ErrorCode& error)
    {
        return stream_.async_read_some(into, boost::asio::redirect_error(awaiting, error));
    }

    // Joins the buffers first: Asio would send each buffer as a TLS record and a packet of its own.
    template <class Buffers>
    auto write_some(const Buffers& bytes, ErrorCode& error)
    {
        joined_.resize(std::min(boost::asio::buffer_size(bytes), max_record));
        boost::asio::buffer_copy(boost::asio::buffer(joined_), bytes);
        return stream_.async_write_some(boost::asio::buffer(joined_),
                                        boost::asio::redirect_error(awaiting, error));
    }

    // A TLS record cannot be written by halves, so there is no attempt without waiting.
    template <class Buffers>
    std::size_t try_write(const Buffers&, ErrorCode& error)
    {
        error = boost::asio::error::would_block;
        return 0;
    }

    Task<> handshake(ErrorCode& error)
    {
        co_await stream_.async_handshake(boost::asio::ssl::stream_base::server,
                                         boost::asio::redirect_error(awaiting, error));
    }

    // Sends close_notify, so that the client knows that nothing was cut off.
    Task<> say_goodbye()
    {
        ErrorCode ignored;
        co_await stream_.async_shutdown(boost::asio::redirect_error(awaiting, ignored));
    }

private:
    static constexpr std::size_t max_record = std::size_t{16} * 1024;

    std::shared_ptr<boost::asio::ssl::context> context_;
    std::string joined_;
    boost::asio::ssl::stream<Socket> stream_;
};

}  // namespace parley::http
