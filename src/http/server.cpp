#include "http/server.hpp"

#include "base/log.hpp"
#include "http/address.hpp"
#include "http/connection.hpp"

#include <boost/asio/detached.hpp>

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace parley::http {
namespace {

constexpr auto accept_pause = std::chrono::milliseconds(100);
constexpr int backlog = 1024;

// An accepted connection on its way to its loop; closed if it never arrives.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor()
    {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }
    void release() { number_ = -1; }

private:
    int number_;
};

template <class Stream>
Task<> serve_connection(Loop& loop, ServerState& state, OpenConnections& open, Stream stream,
                        Peer peer, bool welcome)
{
    Connection<Stream> connection(loop, state, std::move(stream), std::move(peer));
    open.push_back(connection);
    if (welcome) {
        co_await connection.run();
    } else {
        Error error{Errc::overloaded, "Too many connections are open; try again shortly."};
        error.retry_after = std::chrono::seconds(1);
        co_await connection.turn_away(error);
    }
}

}  // namespace

Server::Server(Loops& loops, Handler& handler, ServerOptions options)
    : loops_(loops),
      options_(std::move(options)),
      state_{.limits = options_.limits, .handler = handler},
      acceptor_(loops[0].executor()),
      pause_(loops[0].executor())
{
    for (std::size_t i = 0; i < loops.size(); ++i)
        open_.push_back(std::make_unique<OpenConnections>());
}

Server::~Server()  // NOLINT(bugprone-exception-escape): out of memory, it may as well end here.
{
    stop_accepting();
    cut_all();
    if (!wait_until_empty(std::chrono::seconds(5)))
        log::error("connections outlive their server", log::kv("open", connections()));
}

std::size_t Server::connections() const
{
    const std::size_t coroutines = coroutines_.load();
    return coroutines - (accepting_ && coroutines > 0 ? 1 : 0);
}

Result<> Server::start()
{
    ErrorCode error;
    const auto& endpoint = options_.listen;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(backlog, error);
    if (!error) acceptor_.non_blocking(true, error);
    if (error == boost::asio::error::address_in_use)
        return Error{Errc::internal, "Cannot listen on " + to_text(endpoint) +
                                         ": another program does. Stop it, or choose another "
                                         "address with --listen."};
    if (error)
        return Error{Errc::internal,
                     "Cannot listen on " + to_text(endpoint) + ": " + error.message() + "."};
    local_ = acceptor_.local_endpoint();
    accepting_ = true;
    coroutines_.fetch_add(1);
    boost::asio::co_spawn(loops_[0].executor(), accept_all(),
                          [this](const std::exception_ptr&) { one_less(); });
    return {};
}

Task<> Server::accept_all()
{
    while (accepting_) {
        ErrorCode error;
        co_await acceptor_.async_wait(boost::asio::socket_base::wait_read,
                                      boost::asio::redirect_error(awaiting, error));
        if (error || !accepting_) co_return;
        if (accept_waiting()) continue;
        // Out of descriptors or memory. Those who wait stay in the kernel's queue until something
        // has been closed; asking again at once would only burn the processor.
        pause_.expires_after(accept_pause);
        co_await pause_.async_wait(boost::asio::redirect_error(awaiting, error));
    }
}

bool Server::accept_waiting()
{
    for (int taken = 0; taken < backlog; ++taken) {
        sockaddr_storage address{};
        socklen_t size = sizeof(address);
        const int descriptor =
            ::accept4(acceptor_.native_handle(), reinterpret_cast<sockaddr*>(&address), &size,
                      SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                log::warn("cannot accept connections", log::kv("reason", std::strerror(errno)),
                          log::kv("open", connections()));
                return false;
            }
            if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
            continue;  // That client has left already.
        }
        boost::asio::ip::tcp::endpoint endpoint;
        endpoint.resize(size);
        std::memcpy(endpoint.data(), &address, size);
        hand_over(descriptor, {.address = endpoint.address(), .secure = options_.tls != nullptr});
    }
    return true;
}

void Server::hand_over(int number, Peer peer)
{
    Descriptor descriptor(number);
    coroutines_.fetch_add(1);
    const std::size_t now_open = connections();
    const bool welcome = now_open <= state_.limits.max_connections;
    (welcome ? state_.accepted : state_.refused).fetch_add(1);
    if (now_open > state_.limits.max_connections + state_.limits.max_refusals) {
        one_less();
        return;
    }
    const std::size_t index = loops_.index_with_fewest_connections();
    Loop& loop = loops_[index];
    loop.connections.fetch_add(1, std::memory_order_relaxed);
    auto begin = [this, &loop, &open = *open_[index], peer = std::move(peer), welcome,
                  descriptor = std::move(descriptor)]() mutable {
        ErrorCode error;
        Socket socket(loop.executor());
        const auto protocol =
            peer.address.is_v6() ? boost::asio::ip::tcp::v6() : boost::asio::ip::tcp::v4();
        socket.assign(protocol, descriptor.number(), error);
        if (error) return ended(loop);
        descriptor.release();
        socket.non_blocking(true, error);
        socket.set_option(boost::asio::ip::tcp::no_delay(true), error);
        if (options_.tls)
            serve(loop, open, TlsStream(std::move(socket), options_.tls->current()),
                  std::move(peer), welcome);
        else
            serve(loop, open, PlainStream(std::move(socket)), std::move(peer), welcome);
    };
    boost::asio::post(loop.executor(), std::move(begin));
}

template <class Stream>
void Server::serve(Loop& loop, OpenConnections& open, Stream stream, Peer peer, bool welcome)
{
    auto at_end = [this, &loop](const std::exception_ptr& failure) {
        if (failure) log::error("a connection was ended by an exception");
        ended(loop);
    };
    boost::asio::co_spawn(
        loop.executor(),
        serve_connection(loop, state_, open, std::move(stream), std::move(peer), welcome),
        std::move(at_end));
}

void Server::ended(Loop& loop)
{
    loop.connections.fetch_sub(1, std::memory_order_relaxed);
    one_less();
}

void Server::one_less()
{
    const std::lock_guard lock(emptied_mutex_);
    if (coroutines_.fetch_sub(1) == 1) emptied_.notify_all();
}

bool Server::wait_until_empty(std::chrono::milliseconds patience)
{
    std::unique_lock lock(emptied_mutex_);
    return emptied_.wait_for(lock, patience, [this] { return coroutines_.load() == 0; });
}

// Counted like a connection, so that the server outlives it.
void Server::on_loop(std::size_t index, std::function<void()> action)
{
    coroutines_.fetch_add(1);
    boost::asio::post(loops_[index].executor(), [this, action = std::move(action)] {
        action();
        one_less();
    });
}

void Server::stop_accepting()
{
    if (!accepting_.exchange(false)) return;
    on_loop(0, [this] {
        ErrorCode ignored;
        acceptor_.close(ignored);
        pause_.cancel();
    });
}

void Server::for_each_connection(void (OpenConnection::*action)())
{
    for (std::size_t i = 0; i < loops_.size(); ++i)
        on_loop(i, [&open = *open_[i], action] {
            for (OpenConnection& connection : open) (connection.*action)();
        });
}

void Server::close_idle()
{
    state_.closing = true;
    for_each_connection(&OpenConnection::close_if_idle);
}

void Server::cut_all() { for_each_connection(&OpenConnection::cut); }

}  // namespace parley::http
