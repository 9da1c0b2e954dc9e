#include "http/client/clients.hpp"

#include <boost/asio/post.hpp>

#include <stdexcept>
#include <utility>

namespace parley::http::client {

Clients::Clients(Loops& loops, const ClientOptions& options)
{
    for (std::size_t i = 0; i < loops.size(); ++i)
        own_.emplace(&loops[i].context(),
                     Own{&loops[i], std::make_unique<Client>(loops[i], options)});
}

// Each client is destroyed on its own loop, or together with it: its connections and deadlines
// belong to that thread.
Clients::~Clients()  // NOLINT(bugprone-exception-escape): out of memory.
{
    for (auto& [context, own] : own_)
        boost::asio::post(own.loop->executor(), [client = std::move(own.client)] {});
}

Clients::Here Clients::here(const Executor& executor) const
{
    const auto found = own_.find(&executor.context());
    if (found == own_.end()) throw std::logic_error("there is no HTTP client on this thread");
    return {.loop = *found->second.loop, .client = *found->second.client};
}

ClientResult<> Clients::prepare_tls()
{
    for (auto& [context, own] : own_)
        if (const auto prepared = own.client->prepare_tls(); !prepared) return prepared;
    return {};
}

}  // namespace parley::http::client
