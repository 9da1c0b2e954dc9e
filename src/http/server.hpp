// Listens on an address, passes each connection to the loop with the fewest connections, and shuts
// down in order. One acceptor serves all loops (docs/decisions/0004-one-acceptor.md).
//
// Threads: its methods may be called from any thread except a loop's. The loops must still run when
// the server is destroyed: it waits until its last connection has ended.
#pragma once

#include "base/mutex.hpp"
#include "http/connection_places.hpp"
#include "http/loop.hpp"
#include "http/open_connections.hpp"
#include "http/server_state.hpp"
#include "http/stream.hpp"
#include "http/tls.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace parley::http {

struct ServerOptions {
    boost::asio::ip::tcp::endpoint listen;
    Limits limits = {};
    TlsIdentity* tls = nullptr;  // None: plain HTTP.
    // Addresses without a limit of connections: proxies, which serve many clients.
    std::function<bool(const boost::asio::ip::address&)> is_proxy = {};
};

class Server {
public:
    Server(Loops& loops, Handler& handler, ServerOptions options);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    // Binds the address and begins to accept. Fails with a message that names the address.
    Result<> start();

    // The bound address: with the actual port if 0 was requested.
    boost::asio::ip::tcp::endpoint local_endpoint() const { return local_; }

    // Steps of a shutdown: every response is the last on its connection; no new connections; idle
    // ones are closed; the rest is cut, streams between two frames, or at once if called again.
    void close_after_answers() { state_.closing = true; }
    void stop_accepting();
    void close_idle();
    void cut_all();
    // False if connections are left after that time.
    bool wait_until_empty(std::chrono::milliseconds patience);
    // False if there are requests, after that time, that have not been answered.
    bool wait_until_answered(std::chrono::milliseconds patience) const;

    std::size_t connections() const;
    std::uint64_t accepted() const { return state_.accepted.load(); }
    std::size_t body_bytes() const { return state_.bodies.taken(); }  // Bodies being read.
    std::uint64_t refused() const { return state_.refused.load(); }

private:
    using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

    // Whether a connection is accepted: yes; yes, if an idle one can be closed for it; or no.
    enum class Welcome { yes, instead_of_another, no };
    struct Arrival;

    Task<> accept_all();
    // Accepts connections until none waits. False if the system has no descriptor or memory for
    // more.
    bool accept_waiting();
    void hand_over(int descriptor, Peer peer);
    Welcome judge(ConnectionPlaces::Place& place, const Peer& peer);
    std::size_t index_with_longest_idle() const;
    void begin(std::size_t index, Arrival arrival);
    template <class Stream>
    void serve(std::size_t index, Stream stream, Arrival arrival);
    void ended(Loop& loop, Welcome welcome);
    void one_less();
    void on_loop(std::size_t index, std::function<void()> action);
    void for_each_connection(void (OpenConnection::*action)());

    Loops& loops_;
    ServerOptions options_;
    ServerState state_;
    Acceptor acceptor_;
    Timer pause_;
    boost::asio::ip::tcp::endpoint local_;
    std::atomic<bool> accepting_{false};
    // One for each connection, the one that accepts, and what was posted to the loops.
    std::atomic<std::size_t> coroutines_{0};
    std::atomic<std::size_t> served_{0};    // Connections that are served.
    std::atomic<std::size_t> refusals_{0};  // Connections that are being refused.
    ConnectionPlaces places_;               // Counts served connections by address.
    Mutex emptied_mutex_;
    Condition emptied_;
    std::vector<std::unique_ptr<OpenConnections>> open_;  // By loop, touched on its thread alone.
};

}  // namespace parley::http
