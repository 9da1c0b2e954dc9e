// Answers by any server with OpenAI's chat completions, or by several servers for one model, tried
// in order. If the upstream misbehaves, its text so far is kept, memory is bounded, and messages to
// clients contain neither hosts nor keys.
//
// It does not know the model's tokens: it counts a third of a token for each byte of ASCII, half a
// token for each other byte, four for each turn and 1,024 for each image, which is more than real
// ones take of any usual text. The same estimate is the usage if the upstream reports none.
#pragma once

#include "base/secret.hpp"
#include "engine/engine.hpp"
#include "http/client/clients.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::engine::upstream {

struct UpstreamServer {
    http::client::Url url;  // The address of its chat completions.
    std::string model;
    Secret key;  // Empty: none is sent.
};

struct UpstreamTimes {
    std::chrono::seconds connect{5};
    std::chrono::seconds first_token{60};  // Since the question, retries included.
    std::chrono::seconds silence{60};
};

struct UpstreamOptions {
    static constexpr std::int64_t usual_context = 32'768;

    std::string name;  // By which clients know the model.
    std::vector<UpstreamServer> servers;
    // The limit of a whole call, and of the first byte of an answer that comes as a whole.
    std::chrono::seconds run_timeout;
    std::int64_t context = usual_context;
    bool vision = true;  // Images in conversations that are stored.
    UpstreamTimes times = {};
};

// To be used only on the loops of these clients, which must outlive it.
std::unique_ptr<Engine> make_upstream_engine(http::client::Clients& clients,
                                             UpstreamOptions options);

}  // namespace parley::engine::upstream
