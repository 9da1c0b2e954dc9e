// A client for each event loop, so that whoever runs on one of them finds the client, and the
// connections that it keeps, of that loop.
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
    // Throws where the executor is of none of the loops, which is a bug.
    Here here(const Executor& executor) const;

    // See Client::prepare_tls(); before the loops have anything else to do.
    ClientResult<> prepare_tls();

private:
    struct Own {
        Loop* loop;
        std::unique_ptr<Client> client;
    };
    std::map<const boost::asio::execution_context*, Own> own_;
};

}  // namespace parley::http::client
