#include "http/disconnect_watcher.hpp"

#include <poll.h>
#include <utility>

namespace parley::http {
namespace {

// While unread bytes wait (for example the next request), the socket reports no later event.
constexpr std::chrono::milliseconds time_between_looks{300};

// Most requests are answered before this, and so need no system calls.
constexpr std::chrono::milliseconds time_before_the_first_look{100};

}  // namespace

void DisconnectWatcher::watch(std::function<void()> callback)
{
    callback_ = std::move(callback);
    if (!callback_) return disarm();
    // A wait for an earlier request also serves this one. It is never cancelled, because that would
    // cancel all other operations of this socket.
    if (!waits_) arm(loop_.wheel(), time_before_the_first_look);
}

void DisconnectWatcher::wait(boost::asio::socket_base::wait_type what)
{
    waits_ = true;
    socket_->async_wait(what, [self = shared_from_this()](ErrorCode error) {
        self->waits_ = false;
        if (!error) self->look();
    });
}

void DisconnectWatcher::look()
{
    if (!callback_ || !socket_) return;
    pollfd seen{.fd = socket_->native_handle(), .events = POLLIN | POLLRDHUP, .revents = 0};
    poll(&seen, 1, 0);
    if ((seen.revents & (POLLERR | POLLHUP)) != 0) return notify();
    if ((seen.revents & POLLRDHUP) != 0) {
        if (!asked_ && !ask_()) return notify();
        asked_ = true;
        if (!waits_) wait(Socket::wait_error);
    } else if ((seen.revents & POLLIN) != 0) {
        arm(loop_.wheel(), time_between_looks);
    } else if (!waits_) {
        wait(Socket::wait_read);
    }
}

void DisconnectWatcher::notify()
{
    disarm();
    if (auto callback = std::exchange(callback_, nullptr)) callback();
}

void DisconnectWatcher::close()
{
    disarm();
    socket_ = nullptr;
    ask_ = nullptr;
    callback_ = nullptr;
}

}  // namespace parley::http
