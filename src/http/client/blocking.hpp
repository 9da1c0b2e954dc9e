// The blocking client, for commands and tests. It has its own event loop.
//
// Threads: its methods may be called from any thread, but not from a loop's.
#pragma once

#include "base/clock.hpp"
#include "http/client/client.hpp"
#include "http/loop.hpp"

#include <boost/asio/use_future.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace parley::http::client {

class BlockingClient {
public:
    explicit BlockingClient(ClientOptions options = {}, const Clock& clock = system_clock());
    BlockingClient(const BlockingClient&) = delete;
    BlockingClient& operator=(const BlockingClient&) = delete;
    ~BlockingClient();

    ClientResult<ClientResponse> send(ClientRequest request);
    ClientResult<ClientResponse> get(std::string_view url);
    ClientResult<ClientResponse> post(std::string_view url, std::string body,
                                      std::string content_type = "application/json");

    // Runs `work`, a function from Client& to a Task, on the loop: for streams, which must not
    // leave it.
    template <class Work>
    auto run(Work work)
    {
        auto task = [this, work = std::move(work)]() mutable { return work(client_); };
        return boost::asio::co_spawn(loops_[0].executor(), std::move(task), boost::asio::use_future)
            .get();
    }

private:
    Loops loops_;
    Client client_;
};

}  // namespace parley::http::client
