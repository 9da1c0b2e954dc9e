// What the connections of one server share: its limits, its handler, and the list by which the
// server finds them when it shuts down.
#pragma once

#include "http/exchange.hpp"

#include <boost/intrusive/list.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parley::http {

// Every wait and every buffer of a connection has its limit here. A test sets shorter ones.
struct Limits {
    std::size_t max_connections = 10'000;
    std::size_t max_refusals = 64;  // Connections too many that are still told so.
    std::size_t max_body = std::size_t{1} * 1024 * 1024;
    std::size_t max_bodies_in_flight = std::size_t{256} * 1024 * 1024;
    std::size_t max_stream_backlog = std::size_t{256} * 1024;
    std::size_t max_discarded =
        std::size_t{64} * 1024;  // Of a refused body, to keep the connection.
    std::chrono::milliseconds header_wait = std::chrono::seconds(10);
    std::chrono::milliseconds body_wait = std::chrono::seconds(30);
    std::chrono::milliseconds idle_wait = std::chrono::seconds(75);
    std::chrono::milliseconds write_wait = std::chrono::seconds(30);
    std::chrono::milliseconds linger_wait = std::chrono::seconds(10);
    std::chrono::milliseconds linger_silence = std::chrono::seconds(2);
    // A ping after 15 s of silence at the latest; the wheel may be two ticks late.
    std::chrono::milliseconds ping_after = std::chrono::seconds(14);
};

// A connection as its server sees it. Threads: touched on the connection's loop alone.
class OpenConnection : public boost::intrusive::list_base_hook<
                           boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    virtual ~OpenConnection() = default;
    virtual void close_if_idle() = 0;
    virtual void cut() = 0;
};
using OpenConnections =
    boost::intrusive::list<OpenConnection, boost::intrusive::constant_time_size<false>>;

struct ServerState {
    Limits limits;
    Handler& handler;
    std::atomic<bool> closing{false};  // Answers say "Connection: close" from now on.
    std::atomic<std::size_t> bodies_in_flight{0};
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> refused{0};
};

// Memory that the body of one request takes from what all bodies may take together.
class BodyAllowance {
public:
    explicit BodyAllowance(ServerState& state) : state_(state) {}
    BodyAllowance(const BodyAllowance&) = delete;
    BodyAllowance& operator=(const BodyAllowance&) = delete;
    ~BodyAllowance() { reset(); }

    bool take(std::size_t bytes)
    {
        taken_ += bytes;
        return state_.bodies_in_flight.fetch_add(bytes) + bytes <=
               state_.limits.max_bodies_in_flight;
    }
    void reset()
    {
        if (taken_ != 0) state_.bodies_in_flight.fetch_sub(taken_);
        taken_ = 0;
    }

private:
    ServerState& state_;
    std::size_t taken_ = 0;
};

}  // namespace parley::http
