#include "http/server.hpp"

#include "base/log.hpp"
#include "http/address.hpp"
#include "http/connection.hpp"
#include "http/descriptor.hpp"

#include <boost/asio/detached.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace parley::http {
namespace {

constexpr auto accept_pause = std::chrono::milliseconds(100);
constexpr int backlog = 1024;

template <class Stream>
Task<> serve_connection(Loop& loop, ServerState& state, OpenConnections& open, Stream stream,
                        Peer peer, bool welcome)
{
    Connection<Stream> connection(loop, state, open, std::move(stream), std::move(peer));
    if (welcome) {
        co_await connection.run();
    } else {
        Error error{Errc::overloaded, "Too many connections are open; try again shortly."};
        error.retry_after = std::chrono::seconds(1);
        co_await connection.turn_away(error);
    }
}

}  // namespace

// A connection on its way to its loop.
struct Server::Arrival {
    Descriptor descriptor;
    Peer peer;
    std::unique_ptr<ConnectionPlaces::Place> place;  // Held until it ends.
    Welcome welcome;
};

Server::Server(Loops& loops, Handler& handler, ServerOptions options)
    : loops_(loops),
      options_(std::move(options)),
      state_(options_.limits, handler),
      acceptor_(loops[0].executor()),
      pause_(loops[0].executor()),
      places_(options_.limits.max_connections_per_address)
{
    for (std::size_t i = 0; i < loops.size(); ++i)
        open_.push_back(std::make_unique<OpenConnections>());
}

Server::~Server()  // NOLINT(bugprone-exception-escape): out of memory.
{
    stop_accepting();
    cut_all();
    cut_all();
    if (!wait_until_empty(std::chrono::seconds(5)))
        log::error("connections still open after shutdown", log::kv("open", connections()));
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
        return Error{Errc::internal,
                     "Cannot listen on " + to_text(endpoint) + ": another program uses it."};
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
        // Out of descriptors or memory. Waiting connections stay in the kernel's queue until
        // another one is closed; retrying at once would only waste CPU time.
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
            continue;  // That client has already disconnected.
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
    auto place = std::make_unique<ConnectionPlaces::Place>(places_);
    const Welcome welcome = judge(*place, peer);
    if (welcome == Welcome::no && refusals_.load() >= state_.limits.max_refusals) {
        state_.refused.fetch_add(1);
        return;  // Closed without a response: enough refusals are being sent.
    }
    (welcome == Welcome::no ? refusals_ : served_).fetch_add(1);
    const std::size_t index = welcome == Welcome::instead_of_another
                                  ? index_with_longest_idle()
                                  : loops_.index_with_fewest_connections();
    coroutines_.fetch_add(1);
    loops_[index].connections.fetch_add(1, std::memory_order_relaxed);
    boost::asio::post(loops_[index].executor(),
                      [this, index,
                       arrival = Arrival{std::move(descriptor), std::move(peer), std::move(place),
                                         welcome}]() mutable { begin(index, std::move(arrival)); });
}

Server::Welcome Server::judge(ConnectionPlaces::Place& place, const Peer& peer)
{
    const bool any_number = options_.is_proxy && options_.is_proxy(peer.address);
    if (!any_number && !place.take(peer.address)) return Welcome::no;
    if (served_.load() < state_.limits.max_connections) return Welcome::yes;
    return open_[index_with_longest_idle()]->longest_idle() == SteadyPoint::max()
               ? Welcome::no
               : Welcome::instead_of_another;
}

std::size_t Server::index_with_longest_idle() const
{
    const auto longest = std::ranges::min_element(
        open_, {}, [](const auto& connections) { return connections->longest_idle(); });
    return static_cast<std::size_t>(longest - open_.begin());
}

// On the loop of the connection.
void Server::begin(std::size_t index, Arrival arrival)
{
    Loop& loop = loops_[index];
    if (arrival.welcome == Welcome::instead_of_another && !open_[index]->close_longest_idle()) {
        arrival.welcome = Welcome::no;  // It was no longer idle.
        refusals_.fetch_add(1);
        served_.fetch_sub(1);
    }
    if (arrival.welcome == Welcome::no) arrival.place->reset();
    (arrival.welcome == Welcome::no ? state_.refused : state_.accepted).fetch_add(1);
    ErrorCode error;
    Socket socket(loop.executor());
    const auto protocol =
        arrival.peer.address.is_v6() ? boost::asio::ip::tcp::v6() : boost::asio::ip::tcp::v4();
    socket.assign(protocol, arrival.descriptor.number(), error);
    if (error) return ended(loop, arrival.welcome);
    arrival.descriptor.release();
    socket.non_blocking(true, error);
    socket.set_option(boost::asio::ip::tcp::no_delay(true), error);
    if (options_.tls)
        serve(index, TlsStream(std::move(socket), options_.tls->current()), std::move(arrival));
    else
        serve(index, PlainStream(std::move(socket)), std::move(arrival));
}

template <class Stream>
void Server::serve(std::size_t index, Stream stream, Arrival arrival)
{
    Loop& loop = loops_[index];
    const Welcome welcome = arrival.welcome;
    auto at_end = [this, &loop, welcome,
                   place = std::move(arrival.place)](const std::exception_ptr& failure) {
        if (failure) log::error("connection closed by an exception");
        place->reset();
        ended(loop, welcome);
    };
    boost::asio::co_spawn(loop.executor(),
                          serve_connection(loop, state_, *open_[index], std::move(stream),
                                           std::move(arrival.peer), welcome != Welcome::no),
                          std::move(at_end));
}

void Server::ended(Loop& loop, Welcome welcome)
{
    (welcome == Welcome::no ? refusals_ : served_).fetch_sub(1);
    loop.connections.fetch_sub(1, std::memory_order_relaxed);
    one_less();
}

void Server::one_less()
{
    const MutexLock lock(emptied_mutex_);
    if (coroutines_.fetch_sub(1) <= 2) emptied_.notify_all();  // The acceptor may be left.
}

bool Server::wait_until_empty(std::chrono::milliseconds patience)
{
    MutexLock lock(emptied_mutex_);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (connections() != 0 && emptied_.wait_until(lock, until)) {
    }
    return connections() == 0;
}

bool Server::wait_until_answered(std::chrono::milliseconds patience) const
{
    constexpr auto pause = std::chrono::milliseconds(10);
    const auto end = std::chrono::steady_clock::now() + patience;
    while (state_.busy.load() != 0) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(pause);
    }
    return true;
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
        on_loop(i, [&open = *open_[i], action] { open.for_each(action); });
}

void Server::close_idle()
{
    close_after_answers();
    for_each_connection(&OpenConnection::close_if_idle);
}

void Server::cut_all() { for_each_connection(&OpenConnection::cut); }

}  // namespace parley::http
