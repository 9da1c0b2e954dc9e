// One client per event loop, so that code on a loop uses the client and the kept connections of
// that loop.
//
// Threads: here() from any thread that runs one of the loops, for that loop. The loops must outlive
// this; they may have been stopped.
#pragma once

#include "http/client/client.hpp"
#include "http/loop.hpp"

#include <map>
#include <memory>

namespace parley::http::client {

class Clients {
public:
    explicit Clients(Loops& loops, const ClientOptions& options = {});
    Clients(const Clients&) = delete;
    Clients& operator=(const Clients&) = delete;
    ~Clients();

    struct Here {
        Loop& loop;
        Client& client;
    };
    // Throws if the executor belongs to none of the loops, which is a bug.
    Here here(const Executor& executor) const;

    // See Client::prepare_tls(); to be called before the loops do other work.
    ClientResult<> prepare_tls();

private:
    struct Own {
        Loop* loop;
        std::unique_ptr<Client> client;
    };
    std::map<const boost::asio::execution_context*, Own> own_;
};

}  // namespace parley::http::client
