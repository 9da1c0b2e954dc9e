// Passes whole requests on to the servers of a model, and their responses back: see
// engine/relay.hpp. A response without a stream is held until it is complete; of a stream at most
// one event is held.
#pragma once

#include "engine/relay.hpp"
#include "engine/upstream/server.hpp"

namespace parley::engine::upstream {

class UpstreamRelay final : public Relay {
public:
    explicit UpstreamRelay(Upstream& upstream) : upstream_(upstream) {}

    std::unique_ptr<RelayedAnswer> prepare(const Executor& loop, RelayedRequest request) override;

private:
    Upstream& upstream_;
};

}  // namespace parley::engine::upstream
