// For tests: a server on a free port with a function as handler, and a client that sends and
// receives raw bytes.
#pragma once

#include "http/handler_for_tests.hpp"
#include "http/server.hpp"

#include <boost/asio/connect.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace parley::http {

inline constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

class TestServer {
public:
    explicit TestServer(Limits limits = {},
                        std::function<bool(const boost::asio::ip::address&)> is_proxy = {},
                        TlsIdentity* tls = nullptr, std::size_t loops = 2)
        : loops_(loops, system_clock()),
          server_(loops_, handler,
                  {.listen = {boost::asio::ip::address_v4::loopback(), 0},
                   .limits = limits,
                   .tls = tls,
                   .is_proxy = std::move(is_proxy)})
    {
        EXPECT_TRUE(server_.start());
    }

    unsigned short port() const { return server_.local_endpoint().port(); }
    Server& operator*() { return server_; }
    Server* operator->() { return &server_; }

    FunctionHandler handler;

private:
    Loops loops_;
    Server server_;
};

class RawClient {
public:
    explicit RawClient(unsigned short port)
    {
        connect({boost::asio::ip::address_v4::loopback(), port});
    }
    explicit RawClient(TestServer& server) : RawClient(server.port()) {}

    void send(std::string_view bytes)
    {
        boost::system::error_code ignored;  // The server may have closed already.
        boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
    }

    // All bytes until the server closes or the deadline passes; `closed` tells which.
    std::string read_all(int deadline_ms = 5000)
    {
        std::string all;
        while (read_piece(all, deadline_ms)) {
        }
        return all;
    }

    // Reads until `end` arrives; empty if it does not.
    std::string read_until(std::string_view end, int deadline_ms = 5000)
    {
        std::string all;
        while (all.find(end) == all.npos)
            if (!read_piece(all, deadline_ms)) return {};
        return all;
    }

    // Available bytes, at most `most`; sets `closed` at the end.
    std::string read_piece_of(std::size_t most)
    {
        std::string piece(most, '\0');
        const ssize_t count = ::recv(socket_.native_handle(), piece.data(), piece.size(), 0);
        closed = count <= 0;
        piece.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        return piece;
    }

    void finish_sending() { socket_.shutdown(boost::asio::socket_base::shutdown_send); }
    boost::asio::ip::tcp::socket& socket() { return socket_; }
    bool closed = false;

private:
    void connect(const boost::asio::ip::tcp::endpoint& endpoint) { socket_.connect(endpoint); }

    bool read_piece(std::string& into, int deadline_ms)
    {
        pollfd readable{.fd = socket_.native_handle(), .events = POLLIN, .revents = 0};
        if (::poll(&readable, 1, deadline_ms) <= 0) return false;
        std::array<char, 65536> piece;
        const ssize_t count = ::recv(socket_.native_handle(), piece.data(), piece.size(), 0);
        if (count <= 0) closed = true;
        if (count <= 0) return false;
        into.append(piece.data(), static_cast<std::size_t>(count));
        return true;
    }

    boost::asio::io_context context_;
    boost::asio::ip::tcp::socket socket_{context_};
};

inline int status_of(std::string_view response)
{
    return response.starts_with("HTTP/1.1 ") ? std::stoi(std::string(response.substr(9, 3))) : 0;
}

// The number of status lines; "HTTP/1.1" may also occur in a body.
inline std::size_t count_responses(std::string_view text)
{
    constexpr std::string_view start = "HTTP/1.1 ";
    std::size_t count = 0;
    for (std::size_t at = text.find(start); at != text.npos; at = text.find(start, at + 1)) {
        const std::string_view status = text.substr(at + start.size(), 1);
        if (!status.empty() && status >= "1" && status <= "5") ++count;
    }
    return count;
}

}  // namespace parley::http
