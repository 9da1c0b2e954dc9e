// A server for tests that sends exactly what it is told, valid or not: one script for each
// connection, in order.
#pragma once

#include "http/client/url.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <charconv>
#include <cstddef>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <utility>
#include <vector>

namespace parley::http::client {

class ScriptedConnection {
public:
    explicit ScriptedConnection(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket))
    {
        // A timeout for failing tests; passing tests never reach it.
        const timeval patience{.tv_sec = 20, .tv_usec = 0};
        ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    }

    // Reads one request: its head and the announced body. Empty if the client has disconnected.
    std::string hear()
    {
        while (unused_.find("\r\n\r\n") == unused_.npos)
            if (!read()) return {};
        std::size_t size = unused_.find("\r\n\r\n") + 4;
        constexpr std::string_view length_field = "Content-Length: ";
        if (const std::size_t at = unused_.find(length_field); at < size) {
            std::size_t body = 0;
            std::from_chars(unused_.data() + at + length_field.size(), unused_.data() + size, body);
            size += body;
        }
        while (unused_.size() < size)
            if (!read()) return {};
        std::string request = unused_.substr(0, size);
        unused_.erase(0, size);
        return request;
    }

    // False if the client has disconnected.
    bool say(std::string_view bytes)
    {
        boost::system::error_code error;
        boost::asio::write(socket_, boost::asio::buffer(bytes), error);
        return !error;
    }

    // Waits until the client has closed the connection.
    bool client_left()
    {
        while (read()) unused_.clear();
        return true;
    }

    void close()
    {
        boost::system::error_code ignored;
        socket_.close(ignored);
    }
    // Closes without a response: the client sees a reset.
    void reset()
    {
        boost::system::error_code ignored;
        socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
        close();
    }

private:
    bool read()
    {
        char bytes[4096];
        const auto count = ::recv(socket_.native_handle(), bytes, sizeof(bytes), 0);
        if (count <= 0) return false;
        unused_.append(bytes, static_cast<std::size_t>(count));
        return true;
    }

    boost::asio::ip::tcp::socket socket_;
    std::string unused_;
};

class ScriptedPeer {
public:
    using Script = std::function<void(ScriptedConnection&)>;

    explicit ScriptedPeer(std::vector<Script> scripts)
        : thread_([this, scripts = std::move(scripts)] {
              for (const Script& script : scripts) {
                  boost::system::error_code error;
                  auto socket = acceptor_.accept(error);
                  if (error) return;
                  ++connections_;
                  ScriptedConnection connection(std::move(socket));
                  script(connection);
              }
          })
    {
    }
    ScriptedPeer(const ScriptedPeer&) = delete;
    ScriptedPeer& operator=(const ScriptedPeer&) = delete;
    ~ScriptedPeer()
    {
        ::shutdown(acceptor_.native_handle(), SHUT_RDWR);  // Wakes accept().
        thread_.join();
    }

    // Answers every connection's first request with these bytes, and closes.
    static Script answering(std::string bytes)
    {
        return [bytes = std::move(bytes)](ScriptedConnection& client) {
            client.hear();
            client.say(bytes);
        };
    }

    std::size_t connections() const { return connections_; }
    std::string host_and_port() const
    {
        return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
    }
    Url url(const std::string& target = "/") const
    {
        return Url::parse("http://" + host_and_port() + target).value();
    }

private:
    boost::asio::io_context context_;
    boost::asio::ip::tcp::acceptor acceptor_{context_,
                                             {boost::asio::ip::address_v4::loopback(), 0}};
    std::atomic<std::size_t> connections_{0};
    std::thread thread_;
};

// A one-time signal between threads.
class Signal {
public:
    void give() { promise_.set_value(); }
    void wait() { future_.wait(); }

private:
    std::promise<void> promise_;
    std::future<void> future_ = promise_.get_future();
};

}  // namespace parley::http::client
