// Watches a client while its request is being answered, and tells when it has left: for work that
// is done for this client alone.
//
// The end of its input may mean either that it has left or that it has no more to say and waits for
// its answer. So it is sent something that changes nothing, an interim response or a comment of the
// stream: whoever has left answers that with a reset.
//
// Threads: of the connection's loop.
#pragma once

#include "http/loop.hpp"
#include "http/stream.hpp"
#include "http/timing_wheel.hpp"

#include <functional>
#include <memory>

namespace parley::http {

// Held by its connection, and by the wait that is under way: that one may end after both.
class DisconnectWatcher final : public std::enable_shared_from_this<DisconnectWatcher>,
                                private Deadline {
public:
    // `ask` sends something to the client; false where there is nothing that could be sent.
    DisconnectWatcher(Loop& loop, Socket& socket, std::function<bool()> ask)
        : loop_(loop), socket_(&socket), ask_(std::move(ask))
    {
    }

    // Calls `told` once, when the client leaves; nullptr takes it back.
    void watch(std::function<void()> told);

    // For whoever knows without looking.
    void tell();

    // The connection goes, and its socket.
    void close();

private:
    void wait(boost::asio::socket_base::wait_type what);
    void look();
    void expired() override { look(); }

    Loop& loop_;
    Socket* socket_;
    std::function<bool()> ask_;
    std::function<void()> told_;
    bool waits_ = false;
    bool asked_ = false;  // Nothing but an error can come any more.
};

}  // namespace parley::http
