// Shared by the connections of one server: its limits, its handler, and the memory for requests and
// responses.
#pragma once

#include "http/allowance.hpp"
#include "http/exchange.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parley::http {

// The limits of every wait and every buffer of a connection. Tests set shorter ones.
struct Limits {
    std::size_t max_connections = 10'000;
    std::size_t max_connections_per_address = 256;  // IPv6: per /64. 0: no limit.
    std::size_t max_refusals = 64;  // Surplus connections that still get a response.
    std::size_t max_bodies_in_flight = std::size_t{256} * 1024 * 1024;
    std::size_t max_bodies_per_payer = max_bodies_in_flight / 8;
    std::size_t max_responses_in_flight = std::size_t{256} * 1024 * 1024;
    std::size_t max_responses_per_payer = std::size_t{8} * 1024 * 1024;
    std::size_t max_stream_backlog = std::size_t{256} * 1024;
    std::size_t max_discarded =
        std::size_t{64} * 1024;  // A longer refused body ends the connection.
    std::chrono::milliseconds header_wait = std::chrono::seconds(10);
    // A body must arrive at 1 KiB/s at least, after this:
    std::chrono::milliseconds body_grace = std::chrono::seconds(10);
    // and at 64 KiB/s, after this. So 16 MiB have almost five minutes.
    std::chrono::milliseconds body_wait = std::chrono::seconds(30);
    std::chrono::milliseconds idle_wait = std::chrono::seconds(75);
    std::chrono::milliseconds write_wait = std::chrono::seconds(30);      // Without any progress.
    std::chrono::milliseconds response_wait = std::chrono::seconds(120);  // Except streams.
    std::chrono::milliseconds linger_wait = std::chrono::seconds(10);
    std::chrono::milliseconds linger_silence = std::chrono::seconds(2);
    // A ping after 15 s of silence at the latest; the wheel may be two ticks late.
    std::chrono::milliseconds ping_after = std::chrono::seconds(14);
};

struct ServerState {
    ServerState(const Limits& all_limits, Handler& its_handler)
        : limits(all_limits),
          handler(its_handler),
          bodies(limits.max_bodies_in_flight, limits.max_bodies_per_payer),
          bodies_of_strangers(limits.max_bodies_in_flight / 2, limits.max_bodies_in_flight),
          responses(limits.max_responses_in_flight, limits.max_responses_per_payer)
    {
    }

    Limits limits;
    Handler& handler;
    Allowance bodies;
    Allowance bodies_of_strangers;  // A part of them, so that users always have the rest.
    Allowance responses;
    std::atomic<bool> closing{false};  // Responses have "Connection: close" from now on.
    std::atomic<std::size_t> busy{0};  // Connections with a request that is not answered yet.
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> refused{0};
};

}  // namespace parley::http
