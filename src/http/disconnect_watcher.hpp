// Watches a client while its request is being answered, and reports its disconnect: for work that
// only this client needs.
//
// The end of its input may mean that it has disconnected, or that it has only finished sending. So
// it is sent something without effect, an interim response or a comment of the stream: a client
// that has disconnected responds with a reset.
//
// Threads: of the connection's loop.
#pragma once

#include "http/loop.hpp"
#include "http/stream.hpp"
#include "http/timing_wheel.hpp"

#include <functional>
#include <memory>

namespace parley::http {

// Owned by its connection and by the pending wait, which may end after the connection.
class DisconnectWatcher final : public std::enable_shared_from_this<DisconnectWatcher>,
                                private Deadline {
public:
    // `ask` sends something to the client; false if nothing can be sent.
    DisconnectWatcher(Loop& loop, Socket& socket, std::function<bool()> ask)
        : loop_(loop), socket_(&socket), ask_(std::move(ask))
    {
    }

    // Calls `callback` once, when the client disconnects; nullptr unregisters it.
    void watch(std::function<void()> callback);

    // Reports a disconnect that is already known.
    void notify();

    // The connection and its socket are being destroyed.
    void close();

private:
    void wait(boost::asio::socket_base::wait_type what);
    void look();
    void expired() override { look(); }

    Loop& loop_;
    Socket* socket_;
    std::function<bool()> ask_;
    std::function<void()> callback_;
    bool waits_ = false;
    bool asked_ = false;  // Nothing but an error can come any more.
};

}  // namespace parley::http
