// The upstream servers of one model, and the timeouts of requests to them.
#pragma once

#include "base/secret.hpp"
#include "engine/upstream/breaker.hpp"
#include "engine/upstream/upstream_engine.hpp"
#include "http/client/clients.hpp"

#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace parley::engine::upstream {

struct Server {
    http::client::Url url;
    std::string model;  // Its name there.
    Secret key;         // Empty: none is sent.
    std::shared_ptr<Breaker> breaker =
        std::make_shared<Breaker>();  // A probe may outlive this object.
};

// Shared by all requests to one model.
struct Upstream {
    Upstream(http::client::Clients& its_clients, UpstreamOptions options,
             std::shared_ptr<Figures> its_figures)
        : clients(its_clients),
          name(std::move(options.name)),
          run_timeout(options.run_timeout),
          times(options.times),
          figures(std::move(its_figures))
    {
        for (UpstreamServer& each : options.servers)
            servers.emplace_back(std::move(each.url), std::move(each.model), std::move(each.key));
    }

    http::client::Clients& clients;
    const std::string name;
    const std::chrono::seconds run_timeout;
    const UpstreamTimes times;
    const std::shared_ptr<Figures> figures;
    std::deque<Server> servers = {};  // In order of preference.
};

}  // namespace parley::engine::upstream
