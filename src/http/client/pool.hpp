// Idle connections for later requests to the same server. The one used last is taken first, so that
// surplus ones expire; none stays longer than `idle_wait`.
//
// Threads: of one loop.
#pragma once

#include "http/client/connection.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace parley::http::client {

class ClientPool {
public:
    struct Limits {
        std::size_t per_origin;
        std::size_t total;
        std::chrono::milliseconds wait;
    };

    ClientPool(Loop& loop, Limits limits) : loop_(loop), limits_(limits) {}
    ClientPool(const ClientPool&) = delete;
    ClientPool& operator=(const ClientPool&) = delete;

    // Null if there is none that is still open.
    std::unique_ptr<ClientConnection> take(std::string_view origin);
    void give(std::string origin, std::unique_ptr<ClientConnection> connection);
    std::size_t size() const { return idle_.size(); }

private:
    struct Idle {
        std::string origin;
        std::unique_ptr<ClientConnection> connection;
        SteadyPoint since;
    };
    class Sweep final : public Deadline {
    public:
        explicit Sweep(ClientPool& pool) : pool_(pool) {}

    private:
        void expired() override { pool_.drop_old(); }
        ClientPool& pool_;
    };

    void drop_old();

    Loop& loop_;
    Limits limits_;
    std::vector<Idle> idle_;  // The longest idle first.
    Sweep sweep_{*this};
};

}  // namespace parley::http::client
