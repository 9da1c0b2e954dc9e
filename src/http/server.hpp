// Listens on an address, hands each connection to the loop that has the fewest, and takes its leave
// in order. One acceptor serves all loops (docs/decisions/0004-one-acceptor.md).
//
// Threads: its methods may be called from any thread but a loop's. The loops must still run when
// the server is destroyed: it waits until its last connection has gone.
#pragma once

#include "http/loop.hpp"
#include "http/server_state.hpp"
#include "http/stream.hpp"
#include "http/tls.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace parley::http {

struct ServerOptions {
    boost::asio::ip::tcp::endpoint listen;
    Limits limits = {};
    TlsIdentity* tls = nullptr;  // None: plain HTTP.
};

class Server {
public:
    Server(Loops& loops, Handler& handler, ServerOptions options);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    // Binds the address and begins to accept. Fails with a sentence that names the address.
    Result<> start();

    // The address that was bound: with the real port, where 0 was asked for.
    boost::asio::ip::tcp::endpoint local_endpoint() const { return local_; }

    // Shutting down, step by step: no new connections; idle ones closed and busy ones told to close
    // after their answer; all that is left cut off.
    void stop_accepting();
    void close_idle();
    void cut_all();
    // False if connections are left after that time.
    bool wait_until_empty(std::chrono::milliseconds patience);

    std::size_t connections() const;
    std::uint64_t accepted() const { return state_.accepted.load(); }
    std::uint64_t refused() const { return state_.refused.load(); }

private:
    using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

    Task<> accept_all();
    // Takes connections until none waits. False if the system has no descriptor or memory for more.
    bool accept_waiting();
    void hand_over(int descriptor, Peer peer);
    template <class Stream>
    void serve(Loop& loop, OpenConnections& open, Stream stream, Peer peer, bool welcome);
    void ended(Loop& loop);
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
    std::mutex emptied_mutex_;
    std::condition_variable emptied_;
    std::vector<std::unique_ptr<OpenConnections>> open_;  // By loop, touched on its thread alone.
};

}  // namespace parley::http
